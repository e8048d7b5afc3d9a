"""Routes that other distributions bring by entry points."""

import re

import pytest

from equilibrist.errors import SolutionError
from equilibrist.study.routes import GROUP

PAGES = """
    from starlette.responses import JSONResponse

    def coins(request):
        return JSONResponse({"coins": int(request.query_params["number"])})
"""


def test_a_distribution_brings_a_route(install_distribution, make_client, workspace):
    entries = {"GET /coins": "coin_pages:coins"}
    install_distribution(GROUP, entries, module="coin_pages", source=PAGES)
    client = make_client(workspace)
    assert client.get("/api/coins", params={"number": 3}).json() == {"coins": 3}
    assert client.post("/api/coins").status_code == 405
    assert client.get("/api/coins", headers={"authorization": "Bearer other"}).status_code == 401
    failed = client.get("/api/coins")
    assert failed.status_code == 422
    assert failed.json()["error"]["message"] == (
        "'GET /coins' of the distribution coin_pages 1.0 (coin_pages:coins): answering /api/coins "
        "failed with KeyError: 'number'."
    )


def test_a_route_that_cannot_be_imported_is_one_sentence(
    install_distribution, make_client, workspace
):
    install_distribution(GROUP, {"GET /coins": "no_pages:coins"}, module="no_pages", source="")
    answered = make_client(workspace).get("/api/coins")
    assert answered.status_code == 422
    assert "importing it failed with AttributeError" in answered.json()["error"]["message"]


@pytest.mark.parametrize("name", ["GET /runs", "LOOK /coins", "GET coins", "coins"])
def test_what_is_no_new_route_is_refused(name, install_distribution, make_client, workspace):
    install_distribution(GROUP, {name: "coin_pages:coins"}, module="coin_pages", source=PAGES)
    sentence = f"{name!r} of the distribution coin_pages 1.0 (coin_pages:coins) is no route that can be added"
    with pytest.raises(SolutionError, match=re.escape(sentence)):
        make_client(workspace)
