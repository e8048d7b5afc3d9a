"""Programs that end themselves, forge results, or take all that there is: none passes, and each is one sentence.

What such a program does is in its text; that the right solution passes beside it shows that the check is not too
strict.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

import equilibrist as eq
from equilibrist._util import confined
from equilibrist.learn.exercises import ladder
from equilibrist.learn.exercises.messages import Other, decode, encode
from equilibrist.learn.exercises.program import Program
from equilibrist.learn.exercises.random_game import RandomGame
from support.command import python

pytestmark = pytest.mark.usefixtures("somewhere")
posix = pytest.mark.skipif(os.name == "nt", reason="processes of POSIX")
SOLUTION = (
    Path(__file__).parents[3] / "examples" / "exercises" / "01_regret_matching.py"
).read_text(encoding="utf-8")

FORGED = '{"answer": [0.75, 0, 0.25]}'
ENDS = {
    "import os; os._exit(0)": "the program ended with exit code 0 in",
    "import sys; sys.exit(0)": "failed with SystemExit: 0",
    "import atexit, os; atexit.register(lambda: os._exit(0)); exit()": "failed with SystemExit",
    "import os; os.closerange(0, 256)": "and returned nothing",
    "import os, signal; os.kill(os.getpid(), signal.SIGKILL)": "the program ended by SIGKILL in",
    "import faulthandler; faulthandler._sigsegv()": "the program ended by SIGSEGV in",
    "raise BaseException": "failed with BaseException.",
    "raise GeneratorExit": "failed with GeneratorExit.",
    "raise KeyboardInterrupt": "failed with KeyboardInterrupt.",
    "raise NotImplementedError": "this is not written yet.",
    f"print('{FORGED}')": "returned None",
    f"import os; os.write(1, b'{FORGED}\\n'); os._exit(0)": "the program ended with exit code 0",
    "x = bytearray(10**11)": "failed with MemoryError: a program may have 4 GB.",
    "return [10**400]": "expected [0.75, 0, 0.25], got [",
    "return [2**20000]": "expected [0.75, 0, 0.25], got [",
    "return regrets.append(regrets) or regrets": "expected [0.75, 0, 0.25], got ",
    "return 'x' * 10**8": "answered with more than 67,108,864 bytes",
}


@posix
@pytest.mark.thinned(2)
@pytest.mark.parametrize("body", ENDS)
def test_a_program_passes_by_right_answers_alone(run, body):
    Path("mine.py").write_text(f"def regret_matching(regrets):\n    {body}\n", encoding="utf-8")
    ran = run("exercise", 1, "mine.py", "--json")  # standard error has what the program prints, too
    assert ran.code == 1
    assert ENDS[body] in ran.err.splitlines()[-1]
    assert "error" in ran.json


@posix
@pytest.mark.parametrize(
    "body", ["import os; os._exit(0)", "import sys; sys.exit(0)", "raise GeneratorExit"]
)
def test_a_file_that_ends_while_it_is_loaded_does_not_pass(run, body):
    Path("mine.py").write_text(f"{body}\n{SOLUTION}", encoding="utf-8")
    ran = run("exercise", 1, "mine.py", "--json").fails(1, "loading it")
    assert "error" in ran.json


ENDLESS = {
    "a number that takes for ever": "x = 10**10**10",
    "an interrupt that is ignored": (
        "import signal, time; signal.signal(signal.SIGINT, signal.SIG_IGN); signal.signal(signal.SIGTERM, "
        "signal.SIG_IGN); time.sleep(600)"
    ),
    "a timer that is switched off": (
        "import faulthandler, time; faulthandler.cancel_dump_traceback_later(); time.sleep(600)"
    ),
    "all exceptions are caught": (
        "while True:\n        try:\n            while True: pass\n        except BaseException: pass"
    ),
}


@pytest.mark.thinned(4)
@posix
@pytest.mark.parametrize("kind", ENDLESS)
def test_the_limit_holds_whatever_the_program_does(run, kind):
    Path("mine.py").write_text(
        f"def regret_matching(regrets):\n    {ENDLESS[kind]}\n", encoding="utf-8"
    )
    ran = run("exercise", 1, "mine.py", "--seconds", 0.2)
    ran.fails(1, "regret_matching([3, -1, 1]) had not ended after 0.2 seconds")
    assert ("mine.py, line " in ran.err) == (kind != "a timer that is switched off")


def alive(mark):
    """Return the processes whose command has a text."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        if any(mark in part for part in process.info["cmdline"] or []):
            found.append(process)
    return found


@posix
def test_threads_and_processes_of_a_program_end_with_it(run):
    """A thread that never ends does not keep the grader; a process in a session of its own is ended, too."""
    mark = f"mark-{os.getpid()}-{time.monotonic_ns()}"
    text = (
        "import subprocess, sys, threading, time\n"
        "threading.Thread(target=lambda: time.sleep(600)).start()\n"
        f"command = [sys.executable, '-c', 'import time; time.sleep(600)', '{mark}']\n"
        "for own in (False, True):\n    subprocess.Popen(command, start_new_session=own)\n"
    )
    Path("mine.py").write_text(text + SOLUTION, encoding="utf-8")
    assert run("exercise", 1, "mine.py").code == 0
    assert not [process for process in alive(mark) if process.status() != psutil.STATUS_ZOMBIE]


@posix
def test_a_copy_of_the_process_answers_nothing(run):
    """After a fork there are two programs behind one pipe: the second one's answers would be those to later cases."""
    text = SOLUTION.replace("    positive =", "    import os; os.fork()\n    positive =", 1)
    Path("mine.py").write_text(text, encoding="utf-8")
    assert run("exercise", 1, "mine.py").code == 0


@posix
def test_answers_that_are_sent_ahead_are_judged_like_others(run):
    """A program that finds the pipe can send what it likes: it would have to know the answers."""
    text = f"import os\nfor fd in range(3, 12):\n    try: os.write(fd, b'{FORGED}\\n' * 40)\n    except OSError: pass\n"
    Path("mine.py").write_text(text + SOLUTION, encoding="utf-8")
    run("exercise", 1, "mine.py").fails(1, "")
    garbage = "import os\nfor fd in range(3, 12):\n    try: os.write(fd, b'{' * 5000)\n    except OSError: pass\n"
    Path("mine.py").write_text(garbage + SOLUTION, encoding="utf-8")
    run("exercise", 1, "mine.py").fails(1, "")


def has_ended(number):
    """Return whether a process that was killed ends, which it does some time after the signal."""
    for _ in range(300):
        try:
            if psutil.Process(number).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.1)
    return False


@posix
def test_a_process_that_leaves_its_family_is_ended_and_keeps_nobody_waiting(run):
    """In a session of its own, and its parent gone, it holds the pipes open after the program has ended."""
    text = (
        "def regret_matching(regrets):\n    import os, time\n    if os.fork() == 0:\n        os.setsid()\n"
        "        if os.fork() == 0:\n            with open('pid.part', 'w') as file: file.write(str(os.getpid()))\n"
        "            os.rename('pid.part', 'pid')\n            time.sleep(600)\n        os._exit(0)\n"
        "    os.wait()\n    while not os.path.exists('pid'): time.sleep(0.01)\n    os._exit(0)\n"
    )
    Path("mine.py").write_text(text, encoding="utf-8")
    run("exercise", 1, "mine.py", "--seconds", 3).fails(1, "regret_matching([3, -1, 1])")
    assert has_ended(int(Path("pid").read_text(encoding="utf-8")))


def test_memory_is_limited_in_all_processes_of_a_program(run, monkeypatch):
    monkeypatch.setattr(
        confined, "MEMORY", 300 << 20
    )  # seen by who watches; the program itself may have 4 GB
    text = "def regret_matching(regrets):\n    import time\n    x = b'x' * (600 << 20)\n    time.sleep(60)\n"
    Path("mine.py").write_text(text, encoding="utf-8")
    run("exercise", 1, "mine.py").fails(
        1, "regret_matching([3, -1, 1]) took more than the 4 GB of memory"
    )


def test_what_a_program_prints_is_shown_up_to_a_megabyte(run):
    Path("mine.py").write_text("print('hel\\x1blo')\n" + SOLUTION, encoding="utf-8")
    ran = run("exercise", 1, "mine.py")
    assert ran.code == 0
    assert "hel\\x1blo" in ran.out
    assert run("exercise", 1, "mine.py", "--json").json["passed"] is True
    flood = "for _ in range(12_000): print('x' * 100)\n"
    Path("mine.py").write_text(flood + SOLUTION, encoding="utf-8")
    ran = run("exercise", 1, "mine.py")
    assert ran.code == 0
    assert len(ran.out) < 1.2 * confined.MOST_PRINTED
    assert "more than 1,048,576 bytes were printed" in ran.out


def test_files_that_are_no_programs(run):
    Path("nul.py").write_bytes(b"x = 1\0\n")
    ran = run("exercise", 1, "nul.py").fails(1, "loading it failed with")
    assert "line None" not in ran.err
    Path("large.py").write_bytes(b"#" * (1 << 20) + b"\n")
    run("exercise", 1, "large.py").fails(2, "and at most 1,048,576 are read")
    if os.name != "nt":
        run("exercise", 1, "/dev/zero").fails(
            2, "The file /dev/zero cannot be read: it is a device; give a file."
        )


GAME = (
    "class MyGame:\n    players = 2\n    def start(self): return 0\n    def player(self, state): return {player}\n"
    "    def actions(self, state): return ['a']\n    def next(self, state, action): return state + 1\n"
    "    def infoset(self, state): return str(state)\n    def payoffs(self, state): return {payoffs}\n"
    "    def probabilities(self, state): return [1]\nVALUE = 0\n"
)


@pytest.mark.thinned(2)
@pytest.mark.parametrize(
    ("player", "payoffs", "sentence"),
    [
        ("0", "[1, -1]", "MyGame: the game does not end within 1000 moves"),
        ("state % 2", "[1, -1]", "MyGame"),
        ("'me'", "[1, -1]", "player(state) returns 0, 1, CHANCE (-1) or TERMINAL (-2); got 'me'."),
        ("7", "[1, -1]", "player(state) returns 0, 1, CHANCE (-1) or TERMINAL (-2); got 7."),
        ("state % 2 if state < 2 else -2", "'lots'", "payoff"),
        ("state % 2 if state < 2 else -2", "[float('nan'), 0]", "nan"),
    ],
)
def test_games_that_are_none(run, player, payoffs, sentence, monkeypatch):
    monkeypatch.setattr(ladder, "_MOST_HISTORIES", 2000)  # of games that never end
    Path("mine.py").write_text(GAME.format(player=player, payoffs=payoffs), encoding="utf-8")
    run("exercise", 10, "mine.py").fails(1, sentence)


def test_what_is_sent_comes_back():
    values = [
        None,
        True,
        3,
        -2.5,
        float("inf"),
        "é♠",
        [1, [2]],
        (0, "Jp"),
        {(0, "Jp"): [0.5, 0.5], "x": {}},
    ]
    assert decode(encode(values)) == values
    assert decode(encode(RandomGame(3))).seed == 3
    assert str(decode(encode(eq.load("kuhn")))) == "kuhn"
    assert decode(encode(object())).text.startswith("<object")
    assert decode(encode({1, 2})) == Other("{1, 2}")
    for wrong in (
        {"tuple": 3},
        {"dict": [[1]]},
        {"dict": [[[1], 2]]},
        {"game": "leduc"},
        {"call": "f"},
    ):
        with pytest.raises(ValueError, match=r".+"):
            decode(wrong)


def test_a_program_starts_without_what_it_does_not_ask_for():
    """Half of its time would go to NumPy and psutil, which are there where a game or the program needs them."""
    ran = python(
        "import sys, equilibrist.learn.exercises.runner; print({'numpy', 'psutil'} & set(sys.modules))"
    )
    assert ran.out == "set()\n"


def test_an_interrupt_ends_the_program():
    Path("mine.py").write_text(
        "import time\nopen('begun', 'w').close()\ntime.sleep(600)\n", encoding="utf-8"
    )
    code = (
        "import _thread, threading, time, sys\nfrom pathlib import Path\n"
        "from equilibrist.learn.exercises.ladder import EXERCISES\n"
        "def interrupt():\n"
        "    while not Path('begun').exists(): time.sleep(0.01)\n"
        "    _thread.interrupt_main()\n"
        "threading.Thread(target=interrupt, daemon=True).start()\n"
        "try: EXERCISES[0].grade(Path('mine.py'), seconds=60)\nexcept KeyboardInterrupt: sys.exit(7)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=55).returncode == 7


def test_a_program_is_ended_where_its_grader_fails():
    Path("mine.py").write_text(SOLUTION, encoding="utf-8")
    with Program(Path("mine.py"), 20) as program:
        number = program._process._process.pid
        assert psutil.pid_exists(number)
    assert not psutil.pid_exists(number)
