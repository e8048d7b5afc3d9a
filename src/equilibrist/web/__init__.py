"""What all routes of the page share: requests and responses, the served folder, the settings of a run."""
