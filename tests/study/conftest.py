"""Servers without a network: Starlette's test client in front of a folder of runs."""

import json
import shutil

import pytest
from starlette.testclient import TestClient

import equilibrist as eq
from answer_types import answer_type, find_mismatch
from equilibrist.study import routes
from equilibrist.study.app import make_app
from equilibrist.study.jobs.estimates import Estimates
from equilibrist.web.workspace import Workspace

TOKEN = "a-token-for-tests"
ADDRESS = "http://127.0.0.1:8421"


@pytest.fixture(autouse=True)
def hold_answers_against_types():
    """Fail where a route answers anything else than its handler says, which the page's JavaScript relies on."""
    send = routes._answer
    problems = []

    def answer(place, request):
        response = send(place, request)
        kind = answer_type(place)
        is_json = response.headers.get("content-type") == "application/json"
        if is_json and response.status_code < 300 and kind is not None:
            problem = find_mismatch(json.loads(response.body), kind)
            problems.extend([f"{request.method} {request.url.path}: {problem}"] if problem else [])
        return response

    with pytest.MonkeyPatch.context() as patch:  # of its own: it is undone when servers have ended
        patch.setattr(routes, "_answer", answer)
        yield
    assert problems == []


@pytest.fixture(scope="session")
def saved(tmp_path_factory):
    """Give a folder with two small runs of Kuhn poker, ``kuhn`` and ``kuhn-cfr``, to be copied from."""
    folder = tmp_path_factory.mktemp("saved")
    eq.solve("kuhn", iterations=200, save=folder / "kuhn")
    eq.solve("kuhn", "cfr", iterations=50, save=folder / "kuhn-cfr", record="all")
    return folder


@pytest.fixture
def folder(tmp_path, saved):
    """Give a folder of runs that a test may change."""
    shutil.copytree(saved, tmp_path / "runs")
    return tmp_path / "runs"


@pytest.fixture
def workspace(folder):
    """Give the workspace of the folder, which ``client`` serves."""
    return Workspace(folder)


class BorrowedEstimates:
    """What a server asks for estimates and charts: a process of all servers, which none of them ends."""

    def __init__(self, lender):
        self.ask = lender.ask

    def close(self):
        pass


@pytest.fixture(scope="session")
def estimates():
    """Give a process that estimates, for all servers of the tests: each start of one imports the package."""
    lender = Estimates()
    yield BorrowedEstimates(lender)
    lender.close()


@pytest.fixture
def make_client(request, estimates):
    """Give a function that serves a workspace: the client has the token, and errors of the server are responses.

    Estimates are those of a process of all servers, unless it is to have its own.
    """

    def make(workspace, *, token=TOKEN, own_estimates=False, **options):
        app = make_app(workspace, token=TOKEN, **options)
        client = TestClient(app, base_url=ADDRESS, raise_server_exceptions=False)
        if token is not None:
            client.headers["authorization"] = f"Bearer {token}"
        client.__enter__()
        if not own_estimates:
            workspace.queue.estimates = estimates
            workspace.queue.charts = estimates
        request.addfinalizer(lambda: client.__exit__(None, None, None))
        return client

    return make


@pytest.fixture
def client(make_client, workspace):
    """Give a client of a server of the folder."""
    return make_client(workspace)


@pytest.fixture
def get(client):
    """Give a function that reads from a run, ``get("kuhn/overview")``, and checks the status of the response."""

    def get(path, status=200, /, **fields):
        response = client.get(f"/api/runs/{path}", params=fields)
        assert response.status_code == status, response.text
        return response.json()

    return get
