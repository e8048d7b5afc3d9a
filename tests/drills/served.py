"""Kinds of processes for ``kills.py`` that serve a folder: with a job, a library that is written to, hands of play.

Each kind starts a server, is its client, and kills it while it writes; the next server finds the same folder. What the
client was told is done is there then. Of the request that was not answered all is there, or nothing.
"""

from __future__ import annotations

import atexit
import copy
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import httpx2 as httpx
import psutil

import equilibrist as eq
from drills.saving import PATIENCE, Met, has_saved, leftovers, newest, tables

PROGRAM = """
import sys
from equilibrist._util import workers
from equilibrist.study.server import serve

OFTEN = "from drills.saving import save_often; save_often(); "
AGAIN = "import runpy; runpy.run_module({module!r}, run_name='__main__', alter_sys=True)"

def command(module, *arguments):
    return [sys.executable, "-P", "-c", OFTEN + AGAIN.format(module=module), *arguments]

workers.python_command = command
serve(sys.argv[1], port=0, browser=False, on_start=lambda address: print(address, flush=True))
"""
"""A server whose workers save every 20 ms."""
TESTS = Path(__file__).parents[1]


class Server:
    """A server of a folder in a process of its own, and its client."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(folder)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(TESTS)},
            start_new_session=True,
        )
        atexit.register(self.process.kill)  # where the drill fails
        assert self.process.stdout is not None
        address = self.process.stdout.readline().strip()
        assert address, self.process.communicate()[1][-1000:]
        base, _, token = address.partition("?token=")
        headers = {"authorization": f"Bearer {token}"}
        self.client = httpx.Client(base_url=f"{base}api/", headers=headers, timeout=PATIENCE)

    def ask(self, method: str, path: str, **fields: Any) -> Any:
        """Return the answer to a request, which must not be refused."""
        where = {"params": fields} if method in ("GET", "DELETE") else {"json": fields}
        response = self.client.request(method, path, **where)
        assert response.status_code < 300, (method, path, fields, response.text)
        return response.json()

    def worker(self) -> psutil.Process | None:
        """Return the process of the job that is at work."""
        for child in psutil.Process(self.process.pid).children():
            if "--estimate" not in child.cmdline():
                return child
        return None

    def end(self, sender: int) -> None:
        """Send a signal, and wait for the end."""
        os.kill(self.process.pid, sender)
        self.wait()

    def wait(self) -> None:
        """Wait for the end, and see that nothing was raised."""
        _, told = self.process.communicate(timeout=PATIENCE)
        self.client.close()
        assert "Traceback" not in told, told[-2000:]
        code = self.process.returncode
        assert code in (0, -signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT), code


def draw_signal(met: Met, goal: Met, dice: random.Random) -> int:
    """Return SIGKILL or one of the signals that ask for an end, of which there are not enough yet."""
    is_kill = met.signals >= goal.signals or (met.kills < goal.kills and dice.random() < 0.5)
    return signal.SIGKILL if is_kill else dice.choice((signal.SIGINT, signal.SIGTERM))


class Job:
    """A server with a job that saves; server, worker or both are killed, and the next server goes on with it."""

    OPTIONS: ClassVar = {"game": "leduc(ranks=5)", "algorithm": "cfr", "iterations": 12000}

    def whole(self, place: Path) -> Any:
        """Return the tables of the same run, without a server and never disturbed."""
        eq.solve(**self.OPTIONS, save=place / "run")
        return tables(place)

    def drill(self, goal: Met, dice: random.Random, place: Path, whole: Any) -> Met:
        """Kill servers until there is enough, then let the job end."""
        met = Met()
        server = Server(place)
        self.begin(server)
        while not met.is_enough(goal) and self.is_saving(server, place):
            time.sleep(dice.expovariate(8.0))
            worker = server.worker()
            if worker is None:  # the job is done
                met = met.plus(Met(late=1))
                break
            sender = draw_signal(met, goal, dice)
            victim = (
                dice.choice(("server", "worker", "both")) if sender == signal.SIGKILL else "server"
            )
            if victim != "server":
                worker.kill()
            if victim == "worker":
                self.wait(server, ("failed",))
            else:
                server.end(sender)
                server = Server(place)
            met = met.plus(Met(kills=1) if sender == signal.SIGKILL else Met(signals=1))
            self.resume(server)
        state = self.wait(server, ("done",))
        assert state in ("done", None), state
        server.end(signal.SIGINT)
        assert tables(place) == whole, "job: the chain has come to other tables"
        assert not leftovers(place), leftovers(place)
        return met

    def begin(self, server: Server) -> None:
        """Put the job into the queue."""
        server.ask("POST", "jobs", **self.OPTIONS, name="run")

    def is_saving(self, server: Server, place: Path) -> bool:
        """Wait until the job has saved once more; return False where it ends before."""
        deadline = time.monotonic() + PATIENCE
        while (worker := server.worker()) is None:
            if self.state(server) in ("done", None) or time.monotonic() > deadline:
                return False
            time.sleep(0.01)
        before = newest(place, "checkpoint.npz")
        return has_saved(place, worker.is_running, before, "checkpoint.npz")

    def state(self, server: Server) -> str | None:
        """Return the state of the job; None where it is listed no more, for it is done."""
        states = {job["id"]: job["state"] for job in server.ask("GET", "jobs")["jobs"]}
        return states.get("run")

    def resume(self, server: Server) -> None:
        """Let the job go on, unless its worker has outlived the server and finished it."""
        if self.state(server) not in ("done", None):
            server.ask("POST", "jobs/run/resume")

    def wait(self, server: Server, states: tuple[str, ...]) -> str | None:
        """Wait until the job has one of these states, or is done."""
        deadline = time.monotonic() + 5 * PATIENCE
        while (state := self.state(server)) not in (*states, "done", None):
            assert time.monotonic() < deadline, state
            time.sleep(0.02)
        return state


class Client:
    """A client that asks a server for one change after the other, and knows what must be there after each."""

    def check(self, server: Server) -> None:
        """See that the folder holds what was answered, and all or nothing of what was not."""
        raise NotImplementedError

    def change(self, server: Server) -> bool:
        """Ask for one change; return False where there is nothing more to ask for."""
        raise NotImplementedError

    def finish(self, server: Server) -> None:
        """Ask for all that is still to be asked for."""


def kill_while_asked(client: Client, goal: Met, dice: random.Random, folder: Path) -> Met:
    """Kill servers while a client asks them for changes, until there is enough or nothing more to ask for."""
    met = Met()
    while not met.is_enough(goal):
        server = Server(folder)
        client.check(server)
        client.change(server)  # one is answered for certain
        sender = draw_signal(met, goal, dice)
        timer = threading.Timer(dice.expovariate(8.0), os.kill, (server.process.pid, sender))
        timer.start()
        try:
            while client.change(server):
                pass
        except httpx.TransportError:  # the server is dead, or ends
            is_kill = sender == signal.SIGKILL
            met = met.plus(Met(kills=1) if is_kill else Met(signals=1))
            server.wait()
            continue
        timer.join()
        server.wait()
        met = met.plus(Met(late=1))
        break
    server = Server(folder)
    client.check(server)
    client.finish(server)
    server.end(signal.SIGINT)
    return met


class Contents(NamedTuple):
    """What a library holds: texts of saved ranges by name, notes of runs by name, names of deleted runs."""

    ranges: dict[str, str]
    notes: dict[str, str]
    deleted: set[str]

    @classmethod
    def of(cls, server: Server) -> Contents:
        """Return what a server says."""
        ranges = {row["name"]: row["text"] for row in server.ask("GET", "presets")["ranges"]}
        notes = {row["id"]: row["note"] for row in server.ask("GET", "runs")["runs"]}
        deleted = [row["id"] for row in server.ask("GET", "deleted")["deleted"]]
        assert len(set(deleted)) == len(deleted), deleted
        return cls(ranges, notes, set(deleted))


class Librarian(Client):
    """Saves, renames and deletes ranges, writes notes, deletes runs and takes them back."""

    NAMES = ("BTN/open", "BTN/call", "SB", "BB")
    TEXTS = ("AA", "AA,KK", "AKs:0.5", "22+,A2s+")

    def __init__(self, dice: random.Random, runs: tuple[str, ...]) -> None:
        self.dice = dice
        self.number = 0
        self.notes_of_deleted: dict[str, str] = {}
        self.told = Contents({}, dict.fromkeys(runs, ""), set())  # what was answered
        self.asked = self.told  # what there is if the last request was carried out as well

    def check(self, server: Server) -> None:
        found = Contents.of(server)
        assert found in (self.told, self.asked), (found, self.told, self.asked)
        self.told = found

    def change(self, server: Server) -> bool:
        self.number += 1
        self.asked = copy.deepcopy(self.told)
        changes = (self.save, self.rename, self.remove, self.note, self.delete, self.restore)
        self.dice.choice(changes)(server, *self.asked)
        self.told = self.asked
        return True

    def save(self, server: Server, ranges: dict[str, str], *_: Any) -> None:
        """Save a range, or another one under its name."""
        name = self.dice.choice(self.NAMES)
        ranges[name] = self.dice.choice(self.TEXTS)
        server.ask("PUT", "presets", kind="range", name=name, text=ranges[name], replace=True)

    def rename(self, server: Server, ranges: dict[str, str], *_: Any) -> None:
        """Give a range a name that is free."""
        free = sorted({*self.NAMES} - ranges.keys())
        if ranges and free:
            name = self.dice.choice(sorted(ranges))
            to = self.dice.choice(free)
            ranges[to] = ranges.pop(name)
            server.ask("PATCH", "presets", kind="range", name=name, to=to)

    def remove(self, server: Server, ranges: dict[str, str], *_: Any) -> None:
        """Delete a range."""
        if ranges:
            name = self.dice.choice(sorted(ranges))
            del ranges[name]
            server.ask("DELETE", "presets", kind="range", name=name)

    def note(self, server: Server, _: dict[str, str], notes: dict[str, str], *__: Any) -> None:
        """Write a note about a run."""
        if notes:
            run = self.dice.choice(sorted(notes))
            notes[run] = f"Note {self.number}."
            server.ask("PATCH", f"runs/{run}", note=notes[run])

    def delete(
        self, server: Server, _: dict[str, str], notes: dict[str, str], deleted: set[str]
    ) -> None:
        """Delete a run, with its note."""
        if notes:
            run = self.dice.choice(sorted(notes))
            self.notes_of_deleted[run] = notes.pop(run)
            deleted.add(run)
            server.ask("DELETE", f"runs/{run}")

    def restore(
        self, server: Server, _: dict[str, str], notes: dict[str, str], deleted: set[str]
    ) -> None:
        """Take a deleted run back."""
        if deleted:
            run = self.dice.choice(sorted(deleted))
            places = {row["id"]: row["name"] for row in server.ask("GET", "deleted")["deleted"]}
            deleted.remove(run)
            notes[run] = self.notes_of_deleted[run]
            server.ask("POST", f"deleted/{places[run]}/restore")


class Library:
    """A server whose library is written to: saved ranges, notes, deleted runs."""

    RUNS = ("one", "two", "three")

    def whole(self, place: Path) -> Any:
        """Return the tables of the runs that the library begins with."""
        for name in self.RUNS:
            eq.solve("kuhn", iterations=10, save=place / name)
        return place

    def drill(self, goal: Met, dice: random.Random, place: Path, whole: Any) -> Met:
        """Kill servers while a librarian is at work; in the end each run is there, or deleted, and can be read."""
        folder = place / "served"
        shutil.copytree(whole, folder)
        met = kill_while_asked(Librarian(dice, self.RUNS), goal, dice, folder)
        runs, _ = tables(folder)
        expected, _ = tables(whole)
        assert {Path(name).name: run for name, run in runs.items()} == expected
        return met


class Player(Client):
    """Plays hands at tables in turn, each choice drawn from the numbers of the hand and the step.

    ``course`` has what an undisturbed player was shown at each table, one view after the other.
    """

    HANDS = 25  # at each table

    def __init__(self, tables_by_run: dict[str, str], course: dict[str, list[Any]] | None) -> None:
        self.tables = tables_by_run
        self.course = course
        self.views: dict[str, list[Any]] = {run: [] for run in tables_by_run}
        self.asked: tuple[str, str, dict[str, Any]] | None = None  # run, path and fields

    def check(self, server: Server) -> None:
        for run, table in self.tables.items():
            found = self.view(server.ask("GET", f"tables/{table}"))
            if not self.views[run]:
                self.views[run].append(found)
            elif found != self.views[run][-1]:
                assert self.asked is not None, found
                assert self.asked[0] == run, (run, found)
                self.views[run].append(found)
                self.ask_again(server, found)
            self.compare(run)

    def ask_again(self, server: Server, found: Any) -> None:
        """Ask for what was carried out, but not answered: it is refused, or changes nothing."""
        assert self.asked is not None
        run, path, fields = self.asked
        response = server.client.post(path, json=fields)
        assert response.status_code == (409 if fields else 200), response.text
        assert self.view(server.ask("GET", f"tables/{self.tables[run]}")) == found

    def change(self, server: Server) -> bool:
        played = {
            run: views[-1]["hand"] for run, views in self.views.items() if self.goes_on(views)
        }
        if not played:
            return False
        run = min(played, key=lambda name: (played[name], name))
        table = self.tables[run]
        turn = self.views[run][-1]["turn"]
        if turn is None:
            self.asked = (run, f"tables/{table}/hands", {})
        else:
            place = {name: turn[name] for name in ("hand", "step")}
            action = random.Random(str(place)).choice(turn["actions"])
            self.asked = (run, f"tables/{table}/moves", {**place, "action": action})
        _, path, fields = self.asked
        self.views[run].append(self.view(server.ask("POST", path, **fields)))
        self.compare(run)
        return True

    def goes_on(self, views: list[Any]) -> bool:
        """Return whether a table has hands that are not played yet."""
        return views[-1]["hand"] < self.HANDS or views[-1]["turn"] is not None

    def view(self, state: Any) -> Any:
        """Return what a player is shown of a table, without identities and times."""
        return {name: state[name] for name in ("hand", "turn", "last", "totals", "score", "course")}

    def compare(self, run: str) -> None:
        """See that a table has come where the undisturbed one has come after as many changes."""
        if self.course is not None:
            number = len(self.views[run]) - 1
            assert self.views[run][number] == self.course[run][number], (run, number)

    def finish(self, server: Server) -> None:
        while self.change(server):
            pass
        hands = server.ask("GET", "history/hands", most=500)["hands"]
        numbers = sorted((hand["run"], hand["number"]) for hand in hands)
        assert numbers == [
            (run, number) for run in sorted(self.tables) for number in range(1, self.HANDS + 1)
        ], numbers


class Play:
    """A server at whose tables hands are played."""

    RIVER = "holdem(board='Td9d6hQc2s', oop='AA,QJs,T8s', ip='KK,JTs,QTo', pot=10, stack=30, bets='50%')"
    RUNS: ClassVar = {"leduc": "leduc", "river": RIVER}

    def whole(self, place: Path) -> Any:
        """Return what an undisturbed player is shown."""
        for name, game in self.RUNS.items():
            eq.solve(game, iterations=50, save=place / name)
        self.begun = place.with_name("begun")
        shutil.copytree(place, self.begun)
        server = Server(place)
        player = self.seated(server, None)
        player.check(server)
        player.finish(server)
        server.end(signal.SIGINT)
        return player.views

    def drill(self, goal: Met, dice: random.Random, place: Path, whole: Any) -> Met:
        """Kill servers while hands are played, then play the rest."""
        folder = place / "served"
        shutil.copytree(self.begun, folder)
        server = Server(folder)
        player = self.seated(server, whole)
        server.end(signal.SIGKILL)
        return kill_while_asked(player, goal, dice, folder)

    def seated(self, server: Server, course: Any) -> Player:
        """Return a player who has opened a table for each run, where the first hand is dealt."""
        ids = {run: server.ask("POST", "tables", run=run, seed=5)["id"] for run in self.RUNS}
        return Player(ids, course)


SERVED = {"job": Job(), "library": Library(), "play": Play()}
"""Kinds by name."""
