"""Send mutated requests to every route of the server: each is answered, or refused in one sentence; none ever fails.

    python tests/drills/server.py                          a minute
    python tests/drills/server.py --cases 15000 --seed 7
    python tests/drills/server.py --case 1234              one case again, after all before it of its round

The routes are those of ``equilibrist.study.routes.TABLE``; each has a good request in ``GOOD``, which is changed, and
fields that its function has asked for are put in. What is deleted comes back every ``ROUND`` cases. Jobs stay queued:
what solves them is a process of its own, which other tests kill.
"""

from __future__ import annotations

import argparse
import json
import logging
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from starlette.testclient import TestClient

import equilibrist as eq
from equilibrist.poker.pages.hand_gradings import Gradings
from equilibrist.study.app import make_app
from equilibrist.study.jobs import estimates
from equilibrist.study.jobs.exploits import keep_opponent
from equilibrist.study.routes import TABLE
from equilibrist.web.respond import LOG, Fields
from equilibrist.web.workspace import Workspace

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
from drills.fuzz import ODD_TEXTS, ODD_VALUES, changed, damaged

ROUND = 750  # cases, after which the folder is as it was
PATIENCE = 3.0  # seconds that the process of estimates has, and that of charts
ADDRESS, TOKEN = "http://127.0.0.1:8421", "a-token-for-tests"
RIVER = "holdem(board='Td9d6hQc2s', oop='AA:0.5,QJs,T8s', ip='KK,JTs:0.25,QTo', pot=100, stack=300, bets='50%, a; 60%')"
SPOT = {"board": "2s3h4d6c7c", "oop": "AA,QQ", "ip": "KK", "pot": 20, "stack": 10, "bets": "a"}
OMAHA = {
    "game": "omaha",
    "board": "Kh9s4d7c2h",
    "oop": "AsAhKsKd,AdAcQsQh",
    "ip": "9h9dAs3c,QdQcJdJc",
    "pot": 20,
    "stack": 20,
    "bets": "50%",
}
OMAHA_FILE = (
    'game = "omaha"\nboard = "Kh9s4d7c2h"\noop = "AAxx"\nip = "QQxxds"\npot = 20\nstack = 10\n'
)
EFG = (
    'EFG 2 R "one" { "A" "B" }\np "" 1 1 "i" { "l" "r" } 0\nt "" 1 "" { 1 -1 }\nt "" 2 "" { 0 0 }\n'
)
STUDY = {"games": ["kuhn"], "algorithms": ["cfr", "dcfr"], "iterations": 5, "seeds": 2}

ODD: list[Any] = [
    *(
        *ODD_TEXTS,
        *ODD_VALUES,
        3.5,
        float("nan"),
        float("inf"),
        "-inf",
        "1e400",
        "*",
        "?",
        "[",
        "|",
        "X-B50",
        "AhKd",
    ),
    *(
        "\ud800",
        "../kuhn",
        "..",
        "~1",
        "kuhn,kuhn",
        "csv",
        "parquet",
        "grouped",
        "A" * 20_000,
        ["a", 1],
        {"a": {}},
    ),
]
ODD_IDS = (
    *(
        "..",
        "../..",
        "%2e%2e%2fkuhn",
        "~1etc~1passwd",
        "~0",
        ".equilibrist",
        "link",
        "linked",
        "é♠",
        "%00",
        "%ff",
        "%0a",
    ),
    *(
        "kuhn~1",
        "k" * 300,
        "~1".join("abcdef"),
        "0",
        "-1",
        "9" * 400,
        "con",
        "kuhn/",
        "{run}",
        "kuhn~1..~1kuhn",
    ),
)
HEADERS: tuple[dict[str, str], ...] = (
    {"content-type": "text/plain"},
    {"content-type": "multipart/form-data; boundary=x"},
    {"content-type": "\xff"},
    {"content-length": "-1"},
    {"content-length": "9" * 30},
    {"origin": "http://elsewhere.example"},
    {"origin": "null"},
    {"sec-fetch-site": "cross-site"},
    {"host": "elsewhere.example"},
    {"authorization": "Bearer wrong"},
    {"authorization": "Basic \xe9"},
    {"cookie": "equilibrist-8421=\xff; ;"},
    {"accept": "*/*;q=x"},
    {"range": "bytes=5-1"},
)
BODIES = (
    b"",
    b"null",
    b"[" * 100_000,
    b'{"a":' * 50_000,
    b"\xff\xfe",
    b'{"game": 1e400}',
    b"{}" * 2,
    b" " * (5 << 20),
)

GOOD: dict[str, dict[str, Any]] = {
    "GET /runs": {"search": "game:kuhn exploitability<1"},
    "GET /runs/{run}": {},
    "PATCH /runs/{run}": {"{run}": "renamed", "name": "another"},
    "DELETE /runs/{run}": {"{run}": "spare"},
    "GET /compare": {"run": ["kuhn", "recorded"]},
    "GET /compare/infosets": {
        "run": ["kuhn", "recorded"],
        "order": "reach",
        "count": 3,
        "search": "j",
    },
    "GET /compare/node": {"run": ["river", "river"], "line": "X", "line2": "", "player": 1},
    "GET /deleted": {},
    "DELETE /deleted": {},
    "POST /deleted/{deleted}/restore": {},
    "GET /runs/{run}/report": {},
    "GET /runs/{run}/pictures": {},
    "GET /runs/{run}/picture": {"kind": "convergence", "format": "svg", "theme": "dark"},
    "GET /runs/{run}/table": {"what": "trace", "format": "csv"},
    "GET /runs/{run}/code": {},
    "GET /reports": {},
    "GET /reports/{report}": {},
    "GET /reports/{report}/file": {"name": "results.parquet"},
    "GET /games": {},
    "GET /algorithms": {},
    "POST /games/estimate": {
        "game": {"name": "kuhn", "parameters": {"cards": 4}},
        "algorithm": "dcfr",
        "until": 0.01,
    },
    "POST /forecast": {"game": "kuhn", "until": "0.01", "threads": 1},
    "POST /settings": {
        "algorithm": "dcfr",
        "sampling": "external(batch=4)",
        "seed": 1,
        "record": ["J"],
    },
    "POST /trust": {"file": "/nowhere/game.py"},
    "POST /uploads": {"name": "new.efg", "raw": EFG.encode()},
    "DELETE /uploads/{name}": {},
    "POST /spots/range": {
        "text": "AA, KQs:0.5",
        "board": "2s3h4d",
        "deck": "full",
        "dialect": "gto+",
    },
    "POST /spots/equity": {"board": "2s3h4d6c", "oop": "AA,QQ", "ip": "KK,AKs", "calls": 0.4},
    "POST /spots/estimate": {"spot": SPOT, "line": "", "sizes": True, "iterations": 5},
    "POST /spots/file": {"spot": SPOT},
    "POST /spots/read": {
        "text": 'board = "2s3h4d6c7c"\noop = "AA"\nip = "KK"\npot = 20\nstack = 10\n',
        "name": "a.toml",
    },
    "GET /charts": {"stacks": "3..4", "step": 1, "ante": 0, "bb_ante": 0.5},
    "GET /presets": {},
    "PUT /presets": {
        "kind": "range",
        "name": "BTN/open",
        "position": "BTN",
        "text": "AA, AKs:0.5",
        "replace": True,
    },
    "PATCH /presets": {"kind": "range", "name": "saved", "to": "folder/saved"},
    "DELETE /presets": {"kind": "range", "name": "saved"},
    "GET /presets/file": {},
    "POST /presets/file": {"name": "BTN/call.txt", "text": "[50]AA[/50]"},
    "GET /hands": {},
    "POST /hands": {"name": "Sunday"},
    "GET /hands/{hands}": {},
    "DELETE /hands/{hands}": {},
    "POST /hands/{hands}/files": {"name": "day/a.phhs", "offset": 0, "raw": b"hand = 1"},
    "POST /hands/{hands}/grade": {"ranges": SPOT, "bets": "50%"},
    "POST /hands/{hands}/stop": {},
    "GET /hands/{hands}/decisions": {"by": "line", "most": 5, "position": "IP", "street": "river"},
    "GET /batches": {},
    "POST /batches": {**STUDY, "name": "study", "games": ["kuhn", "kuhn(cards=4)"]},
    "POST /batches/estimate": {
        "spot": SPOT,
        "boards": "2s3h4d6c7c:1, Qs3h4d6c7c:2",
        "lines": ["", "X"],
        "iterations": 5,
    },
    "GET /batches/{batch}": {"line": "", "by": "high,suits"},
    "GET /batches/{batch}/table": {"what": "rows", "format": "parquet"},
    "GET /jobs": {},
    "POST /jobs": {"game": "kuhn", "iterations": 5, "name": "job"},
    "PATCH /jobs": {"workers": 1},
    "GET /jobs/{job}": {},
    "PATCH /jobs/{job}": {"position": 0},
    "DELETE /jobs/{job}": {},
    "POST /jobs/{job}/pause": {"status": 409},  # it waits
    "POST /jobs/{job}/resume": {"{job}": "stopped", "iterations": 9},
    "POST /jobs/{job}/stop": {},
    "GET /runs/{run}/strategy": {"infoset": "J", "player": 0},
    "GET /runs/{run}/overview": {},
    "GET /runs/{run}/classes": {"{run}": "preflop", "line": "R2"},
    "GET /runs/{run}/infosets": {
        "player": 0,
        "search": "j",
        "order": "reach",
        "start": 0,
        "count": 5,
    },
    "GET /runs/{run}/infoset": {"player": 0, "infoset": "J"},
    "GET /runs/{run}/recording": {"{run}": "recorded", "start": 0, "count": 3, "frames": 10},
    "GET /runs/{run}/tree": {"path": "0.1", "start": 0, "count": 2},
    "GET /runs/{run}/explain": {
        "{run}": "recorded",
        "iteration": 2,
        "player": 0,
        "infoset": "J",
        "max_nodes": 50,
    },
    "GET /runs/{run}/exploit": {"{run}": "answer"},
    "POST /runs/{run}/exploit": {
        "{run}": "river",
        "opponent": "calls too much; never raises",
        "player": 1,
        "trust": 0.5,
    },
    "GET /runs/{run}/exploit/money": {"{run}": "answer"},
    "GET /runs/{run}/flops": {"{run}": "preflop"},
    "POST /runs/{run}/flops": {
        "{run}": "preflop",
        "line": "R2-C",
        "board": "QsJh2h",
        "bets": "50%",
    },
    "GET /runs/{run}/spot": {"{run}": "river"},
    "GET /runs/{run}/spot/node": {"{run}": "river", "line": "X-B50"},
    "GET /runs/{run}/spot/filter": {
        "{run}": "river",
        "line": "X",
        "only": "KK or QT",
        "player": 1,
        "unit": "bb=2",
    },
    "GET /runs/{run}/spot/notes": {"{run}": "river", "format": "csv"},
    "PUT /runs/{run}/spot/notes": {
        "{run}": "river",
        "line": "X-B50",
        "board": "",
        "text": "Calls.",
    },
    "GET /runs/{run}/spot/offline": {"{run}": "river", "line": "X", "streets": 1},
    "GET /runs/{run}/spot/offline/size": {"{run}": "turn", "line": "X", "board": "", "streets": 2},
    "GET /runs/{run}/spot/hand": {"{run}": "river", "line": "X", "hand": "KcKd", "player": 1},
    "GET /runs/{run}/spot/runouts": {
        "{run}": "turn",
        "line": "X-X",
        "start": 0,
        "count": 2,
        "only": "not hearts or EV > 10",
        "player": 0,
        "unit": "bb=2",
    },
    "POST /runs/{run}/spot/locks": {
        "{run}": "river",
        "line": "",
        "text": "AA: X 70, B50 30",
        "iterations": 5,
    },
    "POST /runs/{run}/spot/locks/read": {"{run}": "river", "line": "", "text": "AA: X 70, B50 30"},
    "POST /runs/{run}/spot/resolve": {"{run}": "turn", "line": "X-X", "board": "3c", "until": "1%"},
    "GET /tables": {"run": "kuhn", "pupil": "Ada", "most": 5},
    "POST /tables": {
        "run": "kuhn",
        "line": "*",
        "answers": 1,
        "sizes": "grouped",
        "mixing": True,
        "timer": 9,
        "pupil": "Ada",
    },
    "GET /tables/{table}": {},
    "DELETE /tables/{table}": {},
    "PATCH /tables/{table}": {"deleted": False},
    "POST /tables/{table}/hands": {},
    "GET /tables/{table}/hands/{hand:int}": {},
    "POST /tables/{table}/moves": {"{table}": "unplayed", "action": "bet", "hand": 1, "step": 0},
    "GET /runs/{run}/training": {"most": 5, "pupil": "Ada"},
    "GET /history": {"by": "grade", "most": 5, "since": 0, "run": "kuhn"},
    "GET /history/decisions": {"order": "cost", "most": 5, "pupil": "Ada", "format": "csv"},
    "GET /history/hands": {"order": "cost", "most": 5, "skip": 0, "seat": 0, "grade": 1},
}
"""For each route a request that is answered: its fields, and in braces parts of its path."""

ALSO: dict[str, list[dict[str, Any]]] = {
    "POST /spots/range": [{"game": "omaha", "text": "AA:xxyy, KK+:0.5", "board": "2s3h4d"}],
    "POST /spots/estimate": [{"spot": OMAHA, "line": "", "sizes": True, "iterations": 5}],
    "POST /spots/file": [{"spot": OMAHA}],
    "POST /spots/read": [{"text": OMAHA_FILE, "name": "spot.toml"}],
    "POST /jobs": [{"spot": OMAHA, "iterations": 5}],
    "PUT /presets": [
        {"kind": "range", "name": "four", "text": "AA:xxyy", "hole_cards": 4},
        {"kind": "spot", "name": "four", "settings": OMAHA},
    ],
    "GET /runs/{run}/spot": [{"{run}": "omaha"}],
    "GET /runs/{run}/spot/node": [{"{run}": "omaha", "line": "X"}],
    "GET /runs/{run}/spot/filter": [{"{run}": "omaha", "line": "X", "only": "set or 99"}],
    "PUT /runs/{run}/spot/notes": [{"{run}": "omaha", "line": "X", "text": "Folds."}],
    "GET /runs/{run}/spot/hand": [{"{run}": "omaha", "line": "", "hand": "AsAhKsKd"}],
    "GET /runs/{run}/table": [{"{run}": "omaha", "what": "node", "format": "csv"}],
}
"""Further requests that are answered: of Omaha."""


def make_template(folder: Path) -> Path:
    """Fill a folder with what routes are about: small runs, a batch with its report, links that nobody may follow."""
    limits: dict[str, Any] = {"iterations": 10}
    for name in ("kuhn", "spare", "renamed", "deleted"):
        eq.solve("kuhn", **limits, save=folder / name)
    eq.solve("kuhn", "cfr", **limits, record="all", save=folder / "recorded")
    answer = eq.exploit(folder / "kuhn", "bets 10% more", **limits, save=folder / "answer")
    keep_opponent(folder / "answer", {"run": "kuhn", "opponent": "bets 10% more"}, answer)
    eq.solve(RIVER, **limits, save=folder / "river")
    eq.solve(RIVER.replace("2s", ""), **limits, save=folder / "turn")
    eq.solve("preflop(stack=10, sizes='2x; a')", iterations=2, save=folder / "preflop")
    omaha = {name: value for name, value in OMAHA.items() if name != "game"}
    eq.solve(eq.poker.Omaha(**omaha), **limits, save=folder / "omaha")  # type: ignore[arg-type]
    plain = {key: value for key, value in STUDY.items() if key != "games"}
    axes = {"vary": {"algorithm": plain.pop("algorithms"), "seeds": plain.pop("seeds")}}
    eq.batch({"game": "kuhn", **plain, **axes}, save=folder / "grid")
    (folder / "link").symlink_to(folder / "kuhn")
    (folder / "linked").mkdir()
    (folder / "linked" / "checkpoint.npz").symlink_to(folder / "kuhn" / "checkpoint.npz")
    return folder


class Site:
    """A server of a copy of the template, with a job, tables, presets, an upload and a deleted run; ``ids`` of all."""

    def __init__(self, template: Path, folder: Path) -> None:
        shutil.copytree(template, folder, symlinks=True)
        self.workspace = Workspace(folder)
        app = make_app(self.workspace, token=TOKEN, trust_files=True)
        self.client = TestClient(app, base_url=ADDRESS, raise_server_exceptions=False)
        self.client.headers["authorization"] = f"Bearer {TOKEN}"
        self.client.__enter__()
        self.workspace.queue._closed = True  # jobs stay queued
        app.state.gradings = Gradings()
        app.state.gradings._working.acquire()  # hands stay ungraded
        self.ids = {
            "report": ["grid"],
            "hand": ["1"],
            "name": ["saved.efg"],
            "run": ["kuhn", "recorded", "river"],
        }
        self.ids["batch"] = [self.ask("POST", "/api/batches", json=STUDY).json()["jobs"][0]["id"]]
        study = self.workspace.folder / self.ids["batch"][0]
        shutil.copytree(self.workspace.folder / "grid", study, dirs_exist_ok=True)
        jobs = [
            self.ask("POST", "/api/jobs", json={"game": "kuhn", "name": name})
            for name in ("job", "stopped")
        ]
        self.ids["job"] = [job.json()["id"] for job in jobs]
        self.ask("POST", "/api/jobs/stopped/stop")
        self.ids["deleted"] = [self.ask("DELETE", "/api/runs/deleted").json()["deleted"]]
        self.ask("PUT", "/api/presets", json={"kind": "range", "name": "saved", "text": "AA"})
        self.ask("POST", "/api/uploads?name=saved.efg", content=EFG.encode())
        self.ids["hands"] = [self.ask("POST", "/api/hands", json={"name": "kept"}).json()["id"]]
        file = f"/api/hands/{self.ids['hands'][0]}/files?name=a.phhs"
        self.ask("POST", file, content=b"hand = 1\n")
        tables = [
            self.ask("POST", "/api/tables", json={"run": "kuhn", "seed": seed}).json()
            for seed in (1, 1)
        ]
        self.ids["table"], self.unplayed = [tables[0]["id"]], tables[1]["id"]
        turn = tables[0]["turn"]
        while turn is not None:
            move = {"action": turn["actions"][-1]}
            turn = self.ask("POST", f"/api/tables/{tables[0]['id']}/moves", json=move).json()[
                "turn"
            ]

    def ask(self, method: str, path: str, **options: Any) -> Any:
        """Return the response to a request that has to be answered."""
        response = self.client.request(method, path, **options)
        assert response.status_code < 300, (method, path, response.text)
        return response

    def close(self) -> None:
        self.client.__exit__(None, None, None)
        shutil.rmtree(self.workspace.folder)


class Attack:
    """Requests made of a seed, and how they were answered: ``statuses``, ``slowest`` by route, ``failures``."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.seed, self.number = folder, seed, 0
        self.template = make_template(folder / "template")
        self.fields = {
            f"{method} {path}": set(GOOD.get(f"{method} {path}", ())) for method, path, _ in TABLE
        }
        self.statuses: Counter[int] = Counter()
        self.slowest: dict[str, tuple[float, str]] = {}
        self.failures: list[str] = []
        self.site: Site | None = None
        self.asked: list[str] = []
        self.log: list[str] = []

    def __enter__(self) -> Attack:
        self._undo = (estimates._PATIENCE, estimates._FIRST, Fields.any, Fields.only)
        plain_any, plain_only, asked = Fields.any, Fields.only, self.asked

        def any_field(fields: Fields, name: str, *default: Any) -> Any:
            asked.append(name)
            return plain_any(fields, name, *default)

        def only(fields: Fields, *names: str) -> Fields:
            asked.extend(names)
            return plain_only(fields, *names)

        Fields.any, Fields.only = any_field, only  # type: ignore[method-assign]
        self._handler = logging.Handler()
        self._handler.emit = lambda record: self.log.append(record.getMessage())  # type: ignore[method-assign]
        LOG.addHandler(self._handler)
        self._renew()
        return self

    def __exit__(self, *error: object) -> None:
        LOG.removeHandler(self._handler)
        estimates._PATIENCE, estimates._FIRST, Fields.any, Fields.only = self._undo  # type: ignore[misc,method-assign]
        if self.site is not None:
            self.site.close()

    def _renew(self) -> None:
        if self.site is not None:
            self.site.close()
        self.number += 1
        self.site = Site(self.template, self.folder / str(self.number))

    def good(self) -> list[str]:
        """Send each good request to a server of its own making; return the routes that do not answer it."""
        missing = []
        for method, path, _ in TABLE:
            route = f"{method} {path}"
            if route not in GOOD:
                missing.append(f"{route} has no request in GOOD")
                continue
            for request in (GOOD[route], *ALSO.get(route, ())):
                good = dict(request)
                status = good.pop("status", None)
                response = self._send(route, good, random.Random(0), mutated=False)
                if response.status_code != status and response.status_code >= 300:
                    missing.append(f"{route}: {response.status_code} {response.text[:300]}")
            if method == "DELETE" or route in (
                "PATCH /runs/{run}",
                "PATCH /presets",
                "POST /deleted/{deleted}/restore",
            ):
                self._renew()
        estimates._PATIENCE, estimates._FIRST = PATIENCE, 20 * PATIENCE  # type: ignore[misc]
        return missing

    def case(self, number: int) -> None:
        """Send the request of a number, and note what is wrong with the answer."""
        if number and number % ROUND == 0:
            self._renew()
        dice = random.Random(f"{self.seed} {number}")
        method, path, _ = dice.choice(TABLE)
        route = f"{method} {path}"
        request = dice.choice([GOOD.get(route, {}), *ALSO.get(route, ())])
        good = {name: value for name, value in request.items() if name != "status"}
        for _ in range(dice.choice((0, 1, 1, 1, 2, 3))):
            names = sorted(self.fields[route])
            if dice.random() < 0.2 or not names:
                good["{}"] = None  # another path
            elif (name := dice.choice(names)) == "raw":
                good[name] = damaged(good[name], dice)
            elif name in good and isinstance(good[name], dict | list) and dice.random() < 0.7:
                good[name] = changed(good[name], dice)
            elif dice.random() < 0.15:
                good.pop(name, None)
            elif not name.startswith("{"):
                good[name] = dice.choice(ODD)
        before = len(self.log)
        began = time.perf_counter()
        response = self._send(route, good, dice, mutated=True)
        seconds = time.perf_counter() - began
        self.statuses[response.status_code] += 1
        if seconds > self.slowest.get(route, (0.0, ""))[0]:
            self.slowest[route] = seconds, f"case {number}: {good!r:.300}"
        wrong = self.log[before:] or [self._wrong(response)]
        if wrong[0]:
            self.failures.append(
                f"seed {self.seed} case {number}: {route} {good!r:.500}\n{wrong[0]}"
            )

    def _send(self, route: str, good: dict[str, Any], dice: random.Random, *, mutated: bool) -> Any:
        method, _, path = route.partition(" ")
        site = self.site
        assert site is not None
        for part in ("run", "deleted", "report", "name", "batch", "job", "table", "hand", "hands"):
            value = good.pop(f"{{{part}}}", None) or site.ids[part][0]
            value = site.unplayed if value == "unplayed" else value
            if "{}" in good:
                odd = dice.random() < 0.5
                value = dice.choice(ODD_IDS) if odd else quote(dice.choice(site.ids[part]))
            path = path.replace(f"{{{part}}}", value).replace(f"{{{part}:int}}", value)
        good.pop("{}", None)
        raw = good.pop("raw", None)
        headers = {"origin": ADDRESS}
        in_query = (
            method in ("GET", "DELETE") or raw is not None or (mutated and dice.random() < 0.03)
        )
        content = raw if raw is not None else b"" if in_query else json.dumps(good).encode()
        if mutated:
            if dice.random() < 0.1:
                headers |= dice.choice(HEADERS)
            if not in_query and dice.random() < 0.1:
                content = damaged(content, dice) if dice.random() < 0.7 else dice.choice(BODIES)
            if dice.random() < 0.02:
                method = dice.choice(
                    ("GET", "HEAD", "PUT", "POST", "PATCH", "DELETE", "OPTIONS", "TRACE", "X")
                )
        query = urlencode(good, doseq=True, errors="surrogatepass") if in_query else ""
        self.asked.clear()
        encoded = {name: value.encode("latin-1") for name, value in headers.items()}
        url = f"/api{path}" + (f"?{query[:60_000]}" if query else "")
        response = site.client.request(method, url, content=content, headers=encoded)  # type: ignore[arg-type]
        self.fields[route] |= set(self.asked)
        return response

    def _wrong(self, response: Any) -> str | None:
        """Return what is wrong with a response: a failure, JSON that is none, an error that is no sentence."""
        if response.status_code >= 500:
            return f"{response.status_code}: {response.text}"
        if response.headers.get("content-type") != "application/json":
            fine = response.status_code in (200, 401) or response.text.startswith(
                "Range header"
            )  # 401: the door
            return None if fine else f"{response.status_code} without JSON: {response.text:.200}"
        if not response.content:  # of HEAD
            return None
        data = (
            response.json()
            if b"NaN" not in response.content
            else json.loads(response.content, parse_constant=_bad)
        )
        if response.status_code >= 400:
            message = data["error"]["message"]
            if (
                "\n" in message
                or not message.endswith((".", "?", ")", "'", '"', "…"))
                or len(message) > 1_100
            ):
                return f"No sentence: {message!r:.1000}"
        return None


def _bad(name: str) -> Any:
    raise ValueError(f"{name} in JSON")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--cases", type=int, help="instead of seconds")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--case", type=int, help="only this case, after those before it of its round"
    )
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as place, Attack(Path(place), arguments.seed) as attack:
        for line in attack.good():
            print(line, file=sys.stderr)
            attack.failures.append(line)
        deadline, case, last = time.monotonic() + arguments.seconds, 0, arguments.cases
        if arguments.case is not None:
            case, last = arguments.case // ROUND * ROUND, arguments.case + 1
        while case < last if last is not None else time.monotonic() < deadline:
            count = len(attack.failures)
            attack.case(case)
            for failure in attack.failures[count:]:
                print(f"FAILED: {failure}", file=sys.stderr, flush=True)
            case += 1
        slow = sorted(attack.slowest.items(), key=lambda item: -item[1][0])[:8]
        print(
            f"{case:,} cases: {dict(sorted(attack.statuses.items()))}, {len(attack.failures)} failed; the slowest:"
        )
        print(
            *(f"  {seconds:6.2f} s  {route}  {what}" for route, (seconds, what) in slow), sep="\n"
        )
    sys.exit(1 if attack.failures else 0)


if __name__ == "__main__":
    main()
