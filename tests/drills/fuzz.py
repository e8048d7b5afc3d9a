"""Read damaged and tampered files: each is read, or refused in one sentence; nothing else ever happens.

    python tests/drills/fuzz.py                       a minute, as in .ci/run
    python tests/drills/fuzz.py --seconds 3600 --seed 7
    python tests/drills/fuzz.py --only checkpoints --case 1234    one case again

``efg``, ``csv`` and ``checkpoints`` are files with bytes changed; ``tampered`` are checkpoints whose numbers and texts
are changed and whose digests are right all the same, ``members`` those whose bytes are changed below right checksums
and digests, ``digests`` below right checksums alone. ``observed`` and ``parquet`` are strategies by observation;
``folders`` and ``library`` are files of run folders and of the server's folder; ``lines``, ``payouts`` and ``commands``
are texts that people type. A checkpoint that can be read is resumed for some iterations as well. Cases are run in child
processes, so that a crash, a hang or a bomb is noticed and told.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import multiprocessing
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback
import zipfile
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import Any

import numpy as np

import equilibrist as eq
from equilibrist._util.archive import Archive, write_archive

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

BATCH = 200  # cases in a child process
PATIENCE = 180  # seconds that a case may take, on a busy machine
MEMORY = 4 << 30  # bytes beyond what the process has at first
SOME_ITERATIONS = 3

ODD_TEXTS = [
    "",
    "0",
    "-1",
    "1e999",
    "nan",
    "1/0",
    "9" * 400,
    '"',
    "{",
    "}",
    "\x00",
    "é♠",
    ",",
    "\n",
    "=1+1",
    "inf",
]
ODD_VALUES: list[Any] = [
    None,
    True,
    -1,
    0,
    1,
    2**31,
    2**63,
    -(2**63),
    1e308,
    0.5,
    "",
    "x" * 1000,
    [],
    {},
    [[]],
    "kuhn",
]
ODD_NUMBERS = [0.0, -0.0, 1.0, -1.0, 1e308, -1e308, 5e-324, float("nan"), float("inf"), 2.0**53]
ODD_WHOLE = [0, 1, -1, 2, 7, 2**31 - 1, 2**31, 2**32 - 1, 2**62, -(2**63), 2**63 - 1]

RUNS: list[dict[str, Any]] = [
    {"game": "kuhn", "algorithm": "cfr", "record": "all"},
    {"game": "kuhn", "algorithm": "hs-dcfr", "precision": "float32"},
    {"game": "kuhn(players=3)", "algorithm": "pcfr+"},
    {"game": "kuhn", "algorithm": "dcfr", "form": "public", "threads": 2},
    {"game": "kuhn", "sampling": "external", "algorithm": "dcfr", "seed": 1},
    {"game": "kuhn", "sampling": "outcome(baseline='history')", "seed": 2},
    {"game": "kuhn", "sampling": "external", "form": "public", "seed": 2},
    {"game": "kuhn", "sampling": "external(tree=False)", "seed": 3, "record": ["J", "Q"]},
]


def damaged(content: bytes, dice: random.Random) -> bytes:
    """Return bytes with some of them changed, removed, doubled, or replaced by what is odd."""
    data = bytearray(content)
    for _ in range(dice.choice((1, 1, 1, 2, 5, 20))):
        place = dice.randrange(len(data) + 1)
        size = dice.choice((1, 1, 2, 4, 16, 100))
        match dice.randrange(6):
            case 0:
                data[place : place + 1] = bytes([dice.randrange(256)])
            case 1:
                del data[place : place + size]
            case 2:
                data[place:place] = data[place : place + size]
            case 3:
                data[place : place + size] = dice.choice(ODD_TEXTS).encode()
            case 4:
                other = dice.randrange(len(data) + 1)
                data[place : place + size] = data[other : other + size]
            case 5 if dice.random() < 0.2:
                del data[place:]
    return bytes(data)


def tampered(path: Path, dice: random.Random) -> None:
    """Write a checkpoint again, some of its values changed, with the digests that these have."""
    with Archive(path) as archive:
        texts = {name: json.loads(archive.text(name)) for name in archive.texts}
        arrays = {name: archive.array(name) for name in archive.arrays}
    for _ in range(dice.choice((1, 1, 2, 3))):
        if dice.random() < 0.5:
            name = dice.choice(list(texts))
            texts[name] = changed(texts[name], dice)
        elif arrays:
            change_array(arrays, dice.choice(list(arrays)), dice)
    with path.open("wb") as file:
        write_archive(file, {name: json.dumps(text) for name, text in texts.items()}, arrays)


def changed(value: Any, dice: random.Random) -> Any:
    """Return plain data with one of its parts changed, removed or added."""
    if not isinstance(value, dict | list) or not value or dice.random() < 0.1:
        return dice.choice(ODD_VALUES)
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = dice.choice(keys)
    value = value.copy()
    if dice.random() < 0.1:
        del value[key]
    elif isinstance(value, list) and dice.random() < 0.1:
        value.insert(key, value[dice.randrange(len(value))])
    else:
        value[key] = changed(value[key], dice)
    return value


def change_array(arrays: dict[str, Any], name: str, dice: random.Random) -> None:
    """Change some numbers of an array, its shape, or its type; or leave it out."""
    array = arrays[name].copy()
    flat = array.reshape(-1)
    match dice.randrange(8):
        case 0:
            del arrays[name]
            return
        case 1:
            array = flat[: dice.randrange(len(flat) + 1)]
        case 2:
            array = np.concatenate([flat, flat])
        case 3:
            array = array.astype(dice.choice(["f8", "f4", "i8", "u4", "u1"]))
        case _ if len(flat):
            odd = ODD_NUMBERS if array.dtype.kind == "f" else ODD_WHOLE
            with np.errstate(all="ignore"):
                for _ in range(dice.choice((1, 1, 3, len(flat)))):
                    number = dice.choice(odd)
                    flat[dice.randrange(len(flat))] = np.array(number).astype(array.dtype)
    arrays[name] = array


def read_checkpoint(folder: Path) -> None:
    """Do with a run folder whatever reads it."""
    solution = eq.load_solution(folder)
    repr(solution), solution._repr_html_(), json.dumps(solution.summary(), allow_nan=False)
    (
        repr(solution.recording),
        repr(solution.trace),
        solution.trace.to_arrow(),
        dict(solution.strategy),
    )
    limits = {"limits": eq.Limits(nodes=solution.nodes_touched + 100)}
    if solution.iterations < 100:
        limits = {"iterations": solution.iterations + SOME_ITERATIONS}
    eq.solve(resume=solution, **limits)


class Target:
    """A kind of file, some good ones, and how one case is made and read."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.path = place / "case"

    def run(self, dice: random.Random) -> None:
        """Make a bad file and read it."""
        raise NotImplementedError


class Efg(Target):
    """Games in Gambit's format."""

    def __init__(self, place: Path) -> None:
        super().__init__(place)
        self.path = place / "case.efg"
        self.good = []
        for spec in ("kuhn", "matching_pennies", "goofspiel(cards=2)"):
            eq.write_efg(eq.load(spec), self.path)
            self.good.append(self.path.read_bytes())

    def run(self, dice: random.Random) -> None:
        self.path.write_bytes(damaged(dice.choice(self.good), dice))
        eq.compile_game(eq.load(str(self.path)), limits=eq.Limits(histories=10_000))


class Csv(Target):
    """Strategies as tables."""

    def __init__(self, place: Path) -> None:
        super().__init__(place)
        self.good = []
        for spec in ("kuhn", "kuhn(players=3)"):
            eq.solve(spec, iterations=3).strategy.write_csv(self.path)
            self.good.append(self.path.read_bytes())

    def run(self, dice: random.Random) -> None:
        self.path.write_bytes(damaged(dice.choice(self.good), dice))
        eq.evaluate("kuhn", eq.Strategy.read_csv(self.path), missing="uniform")


class Checkpoints(Target):
    """Run folders whose checkpoint has bytes changed: what is read is what was saved."""

    def __init__(self, place: Path) -> None:
        super().__init__(place)
        self.path = place / "checkpoint.npz"
        self.good = []
        for options in RUNS:
            eq.solve(iterations=20, save=place, **options)
            self.good.append((self.path.read_bytes(), eq.load_solution(place)))

    def run(self, dice: random.Random) -> None:
        content, solution = dice.choice(self.good)
        self.path.write_bytes(damaged(content, dice))
        found = eq.load_solution(self.place)
        assert found.summary() == solution.summary(), "a damaged checkpoint was believed"
        assert found.strategy.probabilities.tobytes() == solution.strategy.probabilities.tobytes()


class Tampered(Checkpoints):
    """The same with digests that are right: whatever is read can be used."""

    def run(self, dice: random.Random) -> None:
        self.path.write_bytes(dice.choice(self.good)[0])
        tampered(self.path, dice)
        read_checkpoint(self.place)


def with_damaged_member(content: bytes, dice: random.Random, *, digests: bool) -> bytes:
    """Return a zip in which the bytes of one member are damaged; its checksums are right, and so are ``digests``."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    names = sorted(members.keys() - {"sha256.json"})
    name = dice.choice(names)
    header = members[name][:80]  # where a number means most
    if name.endswith(".npy") and dice.random() < 0.5:
        members[name] = damaged(header, dice) + members[name][80:]
    else:
        members[name] = damaged(members[name], dice)
    if digests:
        sums = {name: hashlib.sha256(members[name]).hexdigest() for name in names}
        members["sha256.json"] = json.dumps(sums).encode()
    file = io.BytesIO()
    method = dice.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


class Members(Checkpoints):
    """Checkpoints whose members are damaged below right checksums and digests: whatever is read can be used."""

    def run(self, dice: random.Random) -> None:
        self.path.write_bytes(with_damaged_member(dice.choice(self.good)[0], dice, digests=True))
        read_checkpoint(self.place)


class Digests(Checkpoints):
    """The same without the digests: only what the change has left as it was is read."""

    def run(self, dice: random.Random) -> None:
        content, solution = dice.choice(self.good)
        self.path.write_bytes(with_damaged_member(content, dice, digests=False))
        found = eq.load_solution(self.place)
        assert found.summary() == solution.summary(), "a damaged member was believed"


class Observed(Target):
    """Strategies by observation in NumPy's format: bytes, members below right checksums, and numbers are changed."""

    SUFFIX = ".npz"

    def __init__(self, place: Path) -> None:
        super().__init__(place)
        self.path = place / f"case{self.SUFFIX}"
        self.good = []
        for game in ("dark_hex(size=2)", "kuhn"):
            run = eq.solve(game, sampling="external(tree=False)", iterations=50, seed=1)
            run.strategy.write_observations(self.path)
            self.good.append((game, self.path.read_bytes()))

    def run(self, dice: random.Random) -> None:
        game, content = dice.choice(self.good)
        self.path.write_bytes(self.changed(content, dice))
        strategy = eq.Strategy.read(self.path)
        repr(strategy)
        list(strategy.infosets)
        eq.evaluate(game, strategy, missing="uniform")

    def changed(self, content: bytes, dice: random.Random) -> bytes:
        kind = dice.randrange(3)
        if kind == 0:
            return damaged(content, dice)
        if kind == 1:
            return with_damaged_member(content, dice, digests=False)
        with np.load(io.BytesIO(content)) as archive:
            arrays = dict(archive)
        for _ in range(dice.choice((1, 1, 2))):
            names = [name for name in arrays if arrays[name].dtype.kind in "iuf"]
            if names:
                change_array(arrays, dice.choice(names), dice)
            if dice.random() < 0.1:
                arrays["game"] = np.array(dice.choice(ODD_TEXTS))
        file = io.BytesIO()
        np.savez(file, **arrays)
        return file.getvalue()


class Parquet(Observed):
    """The same in Parquet, whose columns and types are changed as well."""

    SUFFIX = ".parquet"

    def changed(self, content: bytes, dice: random.Random) -> bytes:
        import pyarrow as pa
        import pyarrow.parquet as pq

        if dice.random() < 0.4:
            return damaged(content, dice)
        rows = pq.read_table(io.BytesIO(content)).to_pylist()
        columns = {name: [row[name] for row in rows] for name in rows[0]}
        for _ in range(dice.choice((1, 1, 2, 5))):
            name = dice.choice(list(columns))
            row = dice.randrange(len(rows))
            columns[name][row] = changed(columns[name][row], dice)
        if dice.random() < 0.1:
            del columns[dice.choice(list(columns))]
        file = io.BytesIO()
        try:
            pq.write_table(pa.table(columns), file)
        except (pa.ArrowException, OverflowError, ValueError):  # numbers and texts in one column
            return content
        return file.getvalue()


class Folders(Target):
    """Run folders: one of their files is damaged, missing, a folder, or that of another run."""

    def __init__(self, place: Path) -> None:
        super().__init__(place)
        self.good = []
        for number, options in enumerate((RUNS[0], RUNS[3], RUNS[4], RUNS[7])):
            folder = place / f"good{number}"
            eq.solve(iterations=20, save=folder, **options)
            self.good.append(
                {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
            )
        self.folder = place / "case"

    def run(self, dice: random.Random) -> None:
        from equilibrist.runs.catalogue import read_run

        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        files = dict(dice.choice(self.good))
        name = dice.choice(list(files))
        match dice.randrange(6):
            case 0:
                del files[name]
            case 1:
                files[name] = dice.choice(self.good).get(name, b"")
            case 2:
                files["job.json"] = dice.choice(ODD_TEXTS).encode()
            case 3 if name.endswith(".json"):
                files[name] = json.dumps(changed(json.loads(files[name]), dice)).encode()
            case _:
                files[name] = damaged(files[name], dice)
        for other, content in files.items():
            (self.folder / other).write_bytes(content)
        if dice.random() < 0.05:
            (self.folder / name).unlink(missing_ok=True)
            (self.folder / name).mkdir()
        row, _ = read_run("case", self.folder)
        json.dumps(row, allow_nan=False)
        read_checkpoint(self.folder)
        solution = eq.load_solution(self.folder)
        if solution.iterations < 100:
            eq.solve(resume=self.folder, save=self.folder, iterations=solution.iterations + 1)


class Library(Target):
    """The folder of the server: one of its files is damaged, and everything that reads is asked."""

    def __init__(self, place: Path) -> None:
        super().__init__(place)
        from drills.server import make_template

        self.template = make_template(place / "template")
        self.site: Any = None
        self.number = 0

    def run(self, dice: random.Random) -> None:
        from drills.server import TABLE, Attack, Site

        if self.site is None:  # in the child process: it has threads
            self.site = Site(self.template, self.place / f"site{os.getpid()}")
        folder = self.site.workspace.folder
        files = sorted(
            path for path in folder.rglob("*") if path.is_file() and path.stat().st_size < 1_000_000
        )
        path = dice.choice(
            [
                path
                for path in files
                if path.suffix in (".json", ".jsonl", ".toml", ".csv", ".npz", "")
            ]
        )
        content = path.read_bytes()
        if path.suffix == ".json" and dice.random() < 0.7:
            with suppress(ValueError):
                content = json.dumps(changed(json.loads(content), dice)).encode()
        else:
            content = damaged(content, dice)
        before = path.read_bytes()
        path.write_bytes(content)
        try:
            for method, route, _ in dice.sample(list(TABLE), len(TABLE)):
                if method == "GET" and "events" not in route:
                    self.ask(route, Attack._wrong)
        finally:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(before)

    def ask(self, route: str, wrong: Callable[..., str | None]) -> None:
        address = f"/api{route}"
        for part, values in self.site.ids.items():
            address = address.replace(f"{{{part}}}", values[0]).replace(
                f"{{{part}:int}}", values[0]
            )
        response = self.site.client.request("GET", address)
        fault = wrong(None, response)
        assert fault is None, f"GET {address}: {fault}"


class Lines(Target):
    """Lines, boards, hands and patterns at which decisions of a spot and infosets of a game are looked up."""

    LINES = ("X-B5-C | X", "X-B10-R30-C", "X-X | B5-F", "X", "")
    BOARDS = ("Td9d6hQc2s", "Td9d6hQc", "2s", "")
    HANDS = ("AhAs", "QJs", "AA:0.5,QQ", "KK")
    PATTERNS = ("J", "Qb", "*", "?b", "[JQ]pb")

    def __init__(self, place: Path) -> None:
        from equilibrist.evaluation.action_values import ActionValues
        from equilibrist.form.limits import CompileBudget
        from equilibrist.play.playable import compile_playable

        super().__init__(place)
        form = eq.compile_cards(
            eq.load(
                "holdem(board='Td9d6hQc', oop='AA,QJs', ip='KK,JTs', pot=10, stack=30, bets='50%, a; a')"
            )
        )
        self.spot = eq.poker.SolvedSpot(eq.solve(form, iterations=2))
        kuhn = eq.compile_game(eq.load("kuhn"))
        self.values = ActionValues(kuhn, eq.solve(kuhn, iterations=5).strategy.at_slots(kuhn))
        self.playable = compile_playable("kuhn", CompileBudget(), None, form=kuhn)

    def run(self, dice: random.Random) -> None:
        from equilibrist.play.lines import InfosetLine
        from equilibrist.poker.solved.lines import SpotLine, lines_of_spot

        line, board, hands, pattern = (
            self.text(good, dice) for good in (self.LINES, self.BOARDS, self.HANDS, self.PATTERNS)
        )
        match dice.randrange(6):
            case 0:
                self.spot.game.tree.find(line)
            case 1:
                repr(self.spot.node(line, board))
            case 2:
                eq.poker.equity(board, hands, dice.choice(self.HANDS))
            case 3:
                SpotLine(self.spot, line, board=board or None, hands=hands or None, tries=50).deal(
                    dice
                )
            case 4:
                lines_of_spot(self.spot, line)
            case 5:
                InfosetLine(
                    self.playable, self.values, pattern, seat=dice.choice((None, 0, 1, 7))
                ).deal(dice)

    def text(self, good: Sequence[str], dice: random.Random) -> str:
        if dice.random() < 0.3:
            return dice.choice(good)
        if dice.random() < 0.1:
            return dice.choice(ODD_TEXTS)
        return damaged(dice.choice(good).encode(), dice).decode("utf-8", errors="replace")


class Payouts(Target):
    """Prizes and stacks of tournaments, in the text of a game and in the model of chips."""

    def __init__(self, place: Path) -> None:
        super().__init__(place)
        self.good = [
            "push_fold(stack=10, players=3, payouts=[50, 30, 20])",
            "push_fold(stacks=[5, 10, 20], payouts=[0.5, 0.3, 0.2])",
            "push_fold(stack=10, payouts=[1])",
            "push_fold(stack=10, ante=0.1, bb_ante=0)",
        ]

    def run(self, dice: random.Random) -> None:
        text = dice.choice(self.good)
        for _ in range(dice.choice((1, 1, 2))):
            numbers = [*re.finditer(r"[\d.]+", text)]
            if dice.random() < 0.6 and numbers:
                match = dice.choice(numbers)
                odd = dice.choice(
                    [
                        *ODD_TEXTS,
                        *(repr(number) for number in (*ODD_NUMBERS, *ODD_WHOLE)),
                        "[1]",
                        "1, 2",
                    ]
                )
                text = f"{text[: match.start()]}{odd}{text[match.end() :]}"
            else:
                text = damaged(text.encode(), dice).decode("utf-8", errors="replace")
        game = eq.load(text)
        str(game)
        game.start()


class Commands(Target):
    """Command lines: options of all commands with odd values, in any order."""

    def __init__(self, place: Path) -> None:
        super().__init__(place)
        eq.solve("kuhn", iterations=5, save=place / "run")
        eq.solve("kuhn", iterations=5).strategy.write_csv(place / "s.csv")
        os.chdir(place)
        self.values = [
            "kuhn",
            "run",
            "s.csv",
            "s.npz",
            "x",
            ".",
            "nowhere/x.csv",
            "/dev/null",
            "J,Q",
            "1..2",
            "AsKd7c",
        ]

    def run(self, dice: random.Random) -> None:
        import sys as system

        from typer.main import get_command

        from equilibrist import cli
        from equilibrist.cli.arguments import make_app

        commands = get_command(make_app()).commands  # type: ignore[attr-defined]
        name = dice.choice([name for name in sorted(commands) if name not in SERVING])
        parameters = commands[name].params
        args = [name]
        for parameter in dice.sample(
            parameters, min(len(parameters), dice.choice((0, 1, 2, 3, 5)))
        ):
            value = dice.choice(
                [*self.values, *ODD_TEXTS, *(str(odd) for odd in (*ODD_WHOLE, *ODD_NUMBERS))]
            )
            value = value.replace("\0", "")  # no command line has it
            if parameter.param_type_name == "argument":
                args.append(value)
            elif getattr(parameter, "is_flag", False):
                args.append(parameter.opts[0])
            else:
                args += [parameter.opts[0], value]
        if dice.random() < 0.7 and len(args) < 2:
            args.append("kuhn")
        if dice.random() < 0.3:
            dice.shuffle(args)
        if {"--iterations", "-n"} & set(args) or name in LONG:
            args += ["--seconds", "0.2"] if name in LONG else []
        out, err = io.StringIO(), io.StringIO()
        system.argv = ["equilibrist", *args]
        system.stdin = io.StringIO()
        began = time.monotonic()
        try:
            with redirect_stdout(out), redirect_stderr(err):
                cli.main()
        except SystemExit as end:
            code = end.code or 0
        text = out.getvalue() + err.getvalue()
        assert code in (0, 1, 2), (args, code)
        assert "Traceback" not in text, (args, text[-2000:])
        assert "Equilibrist itself failed" not in text, (args, text[-2000:])
        assert time.monotonic() - began < PATIENCE / 2, (args, "took long")
        if code:
            raise eq.EquilibristError("refused")


SERVING = {
    "serve",
    "chart",
}  # waits for requests; solves for half a minute where nothing is asked for
LONG = {"solve", "resolve", "compare", "batch", "aggregate"}

TARGETS: dict[str, type[Target]] = {
    "efg": Efg,
    "csv": Csv,
    "checkpoints": Checkpoints,
    "tampered": Tampered,
    "members": Members,
    "digests": Digests,
    "observed": Observed,
    "parquet": Parquet,
    "folders": Folders,
    "library": Library,
    "lines": Lines,
    "payouts": Payouts,
    "commands": Commands,
}


def attempt(target: Target, name: str, seed: int, case: int) -> str:
    """Run one case; return whether the file was "read" or "refused", or the traceback of anything else."""
    try:
        target.run(random.Random(f"{name} {seed} {case}"))
    except eq.EquilibristError as error:
        return "refused" if "\n" not in str(error) else f"More than one line: {error}"
    except BaseException:
        return traceback.format_exc()
    return "read"


def batch(target: Target, name: str, seed: int, cases: range, sender: Any) -> None:
    """Run cases in this process, and send number and outcome of each."""
    limit_memory()
    for case in cases:
        signal.alarm(PATIENCE)
        sender.send((case, attempt(target, name, seed, case)))
    signal.alarm(0)
    sender.send((cases.stop, "over"))


def limit_memory() -> None:
    """Keep this process from taking much more memory than it has."""
    import resource  # of POSIX: a test imports this file on Windows as well

    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY, hard))


def seconds_of_children() -> float:
    """Return how long the processor has worked for child processes that have ended."""
    import resource

    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def fuzz(
    target: Target, name: str, seed: int, first: int, enough: Callable[[int], bool]
) -> tuple[dict[str, int], int]:
    """Run cases until it is enough; return how many ended how, and how many failed."""
    counts, failed, case = {"read": 0, "refused": 0}, 0, first
    while not enough(case):
        receiver, sender = multiprocessing.Pipe(duplex=False)
        child = multiprocessing.get_context("fork").Process(
            target=batch, args=(target, name, seed, range(case, case + BATCH), sender)
        )
        child.start()
        sender.close()
        try:
            while True:
                number, outcome = receiver.recv()
                if outcome == "over":
                    case = number
                    break
                case = number + 1
                if outcome in counts:
                    counts[outcome] += 1
                else:
                    failed += 1
                    print(f"FAILED: {name} seed {seed} case {number}\n{outcome}", file=sys.stderr)
                if enough(case):
                    child.terminate()
                    break
        except EOFError:  # the child is dead
            child.join()
            failed += 1
            print(
                f"FAILED: {name} seed {seed} case {case}: exit code {child.exitcode}",
                file=sys.stderr,
            )
            case += 1
        child.join()
    return counts, failed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0, help="for all kinds together")
    parser.add_argument("--cases", type=int, help="of each kind, instead of seconds")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--only", choices=TARGETS, action="append", help="only this kind; may be repeated"
    )
    parser.add_argument("--case", type=int, help="only this case")
    asked = parser.parse_args()
    names = asked.only or list(TARGETS)
    failures = 0
    with tempfile.TemporaryDirectory() as place:
        for name in names:
            folder = Path(place) / name
            folder.mkdir()
            target = TARGETS[name](folder)
            if asked.case is not None:
                print(attempt(target, name, asked.seed, asked.case))
                continue
            deadline = time.monotonic() + asked.seconds / len(names)

            def enough(case: int, deadline: float = deadline) -> bool:
                return (
                    case >= asked.cases if asked.cases is not None else time.monotonic() > deadline
                )

            before = seconds_of_children()
            counts, failed = fuzz(target, name, asked.seed, 0, enough)
            worked = seconds_of_children() - before
            print(
                f"{name}: {counts['read']:,} read, {counts['refused']:,} refused, {failed:,} failed; "
                f"{worked:.0f} s of the processor",
                flush=True,
            )
            failures += failed
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
