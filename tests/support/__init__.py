"""What tests share: the slow references, random games, the command run in this process."""
