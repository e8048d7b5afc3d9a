"""Tools for language models: the commands of the package as a server of the Model Context Protocol.

A wing of one room; it needs the extra ``mcp``, the protocol's official SDK, when the server starts.
"""
