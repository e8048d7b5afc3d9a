"""Jobs of a server: asked about until they have ended."""

import time

ENDED = ("done", "stopped", "failed", "interrupted")


def wait(client, job, *states, seconds=400):
    """Return a job once it is in one of some states."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        told = client.get(f"/api/jobs/{job}").json()
        if told["state"] in (states or ENDED):
            return told
        time.sleep(0.2)
    raise AssertionError(f"{job} is {told['state']}: {told['stage']} {told['error']}")
