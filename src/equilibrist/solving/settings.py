"""The settings of a run as plain values: the one table of which the command, studies, requests and estimates are made.

A plain value is a text, a number, a flag, or a list of these. :func:`equilibrist.solving.keywords.solve_keywords`
makes the arguments of :func:`equilibrist.solve` of them.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Kind = Literal["text", "count", "number", "flag", "threads", "criteria", "infosets", "path"]
"""How a value is read: ``count`` is a whole number from 1, ``seed``\\ s are whole numbers from 0, see ``least``."""
Group = Literal["method", "size", "end", "save", "record", "backend"]
"""What a setting says: how to solve, what may be taken, when to end, what to save, what to record, and where to run."""


class Setting(NamedTuple):
    """A setting of a run.

    Parameters
    ----------
    name : str
        Its keyword in studies, requests and files of jobs.
    kind : Kind
        How its value is read.
    group : Group
        What it says.
    about : str
        The help of the command's option.
    argument : str
        The argument of :func:`equilibrist.solve` that it is, or the part of one: ``"limits.nodes"``. By default its
        name.
    option : str
        The long option of the command. By default its name with hyphens.
    short : str
        The short option, where there is one.
    metavar : str
        What the help calls its value, where it has a name.
    default : str or None
        The text that says as much as no value.
    least : int
        The least value of a whole number.
    sizes : bool
        Whether memory and time of an iteration depend on it.
    same_result : bool
        Whether a run finds the same with any value of it.
    in_requests : bool
        Whether a request to the server may give it.
    """

    name: str
    kind: Kind
    group: Group
    about: str
    argument: str = ""
    option: str = ""
    short: str = ""
    metavar: str = ""
    default: str | None = None
    least: int = 1
    sizes: bool = False
    same_result: bool = False
    in_requests: bool = True

    @property
    def flags(self) -> tuple[str, ...]:
        """The options of the command, the long one first."""
        long = self.option or f"--{self.name.replace('_', '-')}"
        if self.short:
            return long, self.short
        return (long,)


SETTINGS = (
    Setting(
        "algorithm",
        "text",
        "method",
        "An algorithm that 'equilibrist algorithms' lists, or auto.",
        short="-a",
        default="auto",
        sizes=True,
    ),
    Setting(
        "rule",
        "text",
        "method",
        "An update rule of your own in the place of an algorithm: a class in a Python file, with its settings.",
        metavar="FILE.py:CLASS",
        in_requests=False,
    ),
    Setting(
        "sampling",
        "text",
        "method",
        "What an iteration visits: full (the default), chance, external, outcome, average-strategy or "
        "public-chance; options as in \"outcome(epsilon=0.4, average='lazy')\"; external(tree=False) does without "
        "compiling the game.",
        short="-s",
        default="full",
        sizes=True,
    ),
    Setting(
        "concept",
        "text",
        "method",
        "What the run is to approach: nash (the default), or floors(0.001), where every action keeps that "
        "probability, so that the strategy answers everything; floors(0.1, decay=0.5) falls with the iterations; or "
        "qre(1%), a quantal response equilibrium of that temperature, a share of the pot or payoff per game.",
        default="nash",
        sizes=True,
    ),
    Setting(
        "form",
        "text",
        "method",
        "What the game is compiled into: sequence (every history), public (public states, for large games of "
        "private hands), cards (the boards of a card game), or auto; or walk, which compiles nothing but the rules and "
        "stores no histories. [auto]",
        default="auto",
    ),
    Setting(
        "precision",
        "text",
        "method",
        "float64, or float32 for half the memory. [float32 for card games]",
        default="auto",
        sizes=True,
    ),
    Setting(
        "threads",
        "threads",
        "method",
        "Threads of full-width CFR, of walks, or for the samples of a batch: external(batch=64). auto: all cores "
        "where that is faster.",
        metavar="N",
        sizes=True,
        same_result=True,
    ),
    Setting(
        "seed",
        "count",
        "method",
        "Seed of the random numbers, where something is sampled. [0]",
        least=0,
    ),
    Setting(
        "alternating",
        "flag",
        "method",
        "Update all players at once instead of in turn.",
        argument="algorithm.alternating",
        option="--simultaneous",
        sizes=True,
    ),
    Setting(
        "max_memory_gb",
        "number",
        "size",
        "Gigabytes that a compiled run may take. [what the machine has free]",
        argument="limits.memory_gb",
        same_result=True,
    ),
    Setting(
        "iterations",
        "count",
        "end",
        "Stop after so many iterations, those before a resume included.",
        short="-n",
    ),
    Setting(
        "until",
        "criteria",
        "end",
        "Stop at this exploitability: payoff per game, or 0.5% of the pot of a card game.",
        short="-u",
    ),
    Setting(
        "seconds", "number", "end", "Stop after so many seconds of iterating, or of compiling."
    ),
    Setting(
        "nodes",
        "count",
        "end",
        "Stop when so many histories are touched, those before a resume included.",
        argument="limits.nodes",
    ),
    Setting(
        "save",
        "path",
        "save",
        "Save the run, at intervals and at the end; an older run is kept aside.",
        metavar="FOLDER",
        in_requests=False,
    ),
    Setting(
        "save_streets",
        "count",
        "save",
        "Of a card game, save the first N streets at the end: a small file, which is read but not resumed.",
        argument="save.streets",
        option="--streets",
        metavar="N",
        same_result=True,
    ),
    Setting(
        "max_histories",
        "count",
        "size",
        "Refuse a game with more histories than this; memory limits any.",
        argument="limits.histories",
        same_result=True,
    ),
    Setting(
        "max_depth",
        "count",
        "size",
        "Refuse a game with longer plays than this.",
        argument="limits.depth",
        same_result=True,
        in_requests=False,
    ),
    Setting(
        "record",
        "infosets",
        "record",
        "Record strategies, regrets and reach of these infosets: names separated by commas, or all. May be "
        "repeated.",
        metavar="INFOSETS",
    ),
    Setting(
        "record_every",
        "count",
        "record",
        "Record after every K iterations. [at each checkpoint]",
        argument="record.every",
        metavar="K",
    ),
    Setting(
        "actors",
        "count",
        "backend",
        "Spread one game over so many processes, each with a part of the tables, or of the samples.",
        argument="backend.actors",
        in_requests=False,
    ),
    Setting(
        "ray",
        "text",
        "backend",
        "Have the actors on a Ray cluster: auto, local, or HOST:PORT of its head.",
        argument="backend.ray",
        metavar="ADDRESS",
        in_requests=False,
    ),
)
"""All settings of a run that are plain values."""
BY_NAME = {setting.name: setting for setting in SETTINGS}


def select_names(*groups: Group) -> tuple[str, ...]:
    """Return the names of the settings of some groups, in the order of the table."""
    return tuple(setting.name for setting in SETTINGS if setting.group in groups)


ENDS = select_names("end")
"""What may end a run, whichever comes first."""
