"""Folders of runs that many servers of tests ask, one after the other."""

from equilibrist.web.workspace import Workspace


class OpenWorkspace(Workspace):
    """A workspace whose runs stay loaded when a server ends: for runs that no test changes."""

    def close(self):
        self.catalogue.close()
