"""Studies: a game, what varies, and a limit for each run; from a TOML file, a mapping, or keywords."""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .._util.files import check_path, read_text
from .._util.plain import to_plain
from .._util.validate import is_whole
from ..cfr.algorithms import Algorithm, find_algorithm
from ..errors import AlgorithmError, EquilibristError, GameError, SolutionError, UntrustedGameError
from ..games.load import Trust, check_trust, load
from ..solving.callbacks import Plain
from ..solving.keywords import solve_keywords
from ..solving.plan import new_config
from ..solving.settings import ENDS, SETTINGS, select_names
from .task import is_random
from .variants import change_settings, digest_of, path_in_folder, read_game, write_game

CONFIG = select_names("method", "size")
"""Settings that a study may set or vary besides what ends a run: those of a :class:`SolveConfig`."""
OPTIONS = (*CONFIG, "save_streets")
"""All of them."""
_SAME_RESULT = tuple(setting.name for setting in SETTINGS if setting.same_result)
MOST_ITEMS = 1_000_000
_WORDS = ("name", "vary", "items")


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A run of a study.

    Attributes
    ----------
    game : str or game
        What is solved, as :func:`equilibrist.solve` takes it.
    options, limits : mapping
        Keywords of :func:`equilibrist.solve`: how, and until when.
    labels : mapping
        What tells the run apart in the study: a plain value for each thing that varies.
    name : str
        Name of its folder: the same for the same game, options and title, whatever study they are
        in.
    title : str
        What it is called; by default its labels.
    """

    game: Any
    options: Mapping[str, Any] = field(default_factory=dict)
    limits: Mapping[str, Any] = field(default_factory=dict)
    labels: Mapping[str, Plain] = field(default_factory=dict)
    name: str = ""
    title: str = ""

    def __str__(self) -> str:
        return (
            self.title
            or ", ".join(f"{key} {value}" for key, value in self.labels.items())
            or str(self.game)
        )


@dataclass(frozen=True, slots=True)
class Study:
    """Runs that belong together.

    Attributes
    ----------
    name : str
        For people.
    items : tuple of Item
        The runs; each differs from all others in its name.
    """

    name: str
    items: tuple[Item, ...]

    def __len__(self) -> int:
        return len(self.items)


def make_item(
    game: Any,
    options: Mapping[str, Any],
    limits: Mapping[str, Any],
    labels: Mapping[str, Plain],
    *,
    title: str = "",
) -> Item:
    """Return an item with its name."""
    unknown_names = [name for name in options if name not in OPTIONS] + [
        name for name in limits if name not in ENDS
    ]
    if unknown_names:
        raise AlgorithmError(
            f"A run has no option {unknown_names[0]!r}; give one of {', '.join((*OPTIONS, *ENDS))}."
        )
    settings = {name: value for name, value in options.items() if name in CONFIG}
    config = new_config(**solve_keywords({**settings, **limits}))
    options = _with_algorithm(options)
    identity = {
        name: value
        for name, value in options.items()
        if name in CONFIG and name not in _SAME_RESULT and value is not None
    }
    identity |= {"algorithm": to_plain(config.algorithm), "sampling": str(config.sampling)}
    if isinstance(options.get("rule"), str):
        identity["rule"] = digest_of(options["rule"])
    if config.sampling.random:
        identity["seed"] = config.seed
    if config.horizon is not None:
        identity["horizon"] = config.horizon
    if isinstance(game, str):
        game_name = game
        game_identity = game
    else:
        game_name = getattr(game, "name", "game")
        game_identity = getattr(game, "fingerprint", None) or str(game)
    identity["game"] = [game_identity, digest_of(game_identity)]
    identity_text = json.dumps(identity, sort_keys=True, default=str)
    digest = hashlib.sha256(identity_text.encode()).hexdigest()[:12]
    algorithm = options.get("algorithm", "auto")
    if title:
        words = [title[:60]]
    else:
        words = [game_name[:40], getattr(algorithm, "name", algorithm)]
    name = "-".join(
        re.sub(r"[^A-Za-z0-9+]+", "-", word).strip("-") for word in (*words, digest) if word
    )
    if isinstance(algorithm, Algorithm):  # whose functions no other process might know
        options = {**options, "algorithm": algorithm.planned(config.horizon)}
    return Item(
        game=game,
        options=dict(options),
        limits=dict(limits),
        labels=dict(labels),
        name=name,
        title=title,
    )


def _with_algorithm(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options with a rule that is an object as the algorithm that it makes, which has a text and a name."""
    own_options = dict(options)
    if own_options.get("rule") is not None and not isinstance(own_options["rule"], str):
        own_options["algorithm"] = own_options.pop("rule")
    algorithm = own_options.get("algorithm")
    if algorithm is not None and not isinstance(algorithm, str):
        own_options["algorithm"] = find_algorithm(algorithm)
    return own_options


def read_study(source: Any, *, trust: Trust = False) -> Study:
    """Return the study that a file, a mapping with the same keys, or a Study is.

    ::

        game = "examples/spots/narrow-river.toml"   # as for ``solve``; a file beside this one
        until = "0.5%"                              # limits and options of ``solve``, of all runs
        pot = 120                                   # any other key is a setting of the game

        [vary]                                      # each with each
        board = ["Kh9s4d7c2h", "Kh9s4d7c2d"]
        "oop.bets" = ["50%, a", "75%"]
        algorithm = ["dcfr", "cfr+"]
        seeds = 3                                   # the seeds 0, 1, 2 of runs that draw something

        [[vary.ranges]]                             # several settings that change together, with a name
        name = "tight"
        oop = "QQ+,AKs"
        ip = "TT+,AQs+"

        [[items]]                                   # listed: each of these with each of [vary]
        stack = 300

    ``trust`` says whether Python files may be run that a study file names as games, or which; a
    mapping is the caller's own, as an argument of :func:`equilibrist.solve` is.

    Raises
    ------
    EquilibristError
        The file cannot be read, or says what cannot be.
    UntrustedGameError
        It names a Python file that is not trusted.
    """
    if isinstance(source, Study):
        return source
    if isinstance(source, Mapping):
        return _make_study(source, None, str(source.get("name", "study")), trust=True)
    path = check_path(source)
    try:
        return _make_study(tomllib.loads(read_text(path)), path.parent, path.stem, trust=trust)
    except tomllib.TOMLDecodeError as error:
        raise SolutionError(f"'{path}' is no TOML: {error}.", wrong_use=True) from error
    except UntrustedGameError:
        raise
    except EquilibristError as error:
        if str(path) in str(error):
            message = str(error)
        else:
            message = f"'{path}': {error}"
        raise type(error)(message, wrong_use=True) from error


def _make_study(table: Mapping[str, Any], folder: Path | None, name: str, *, trust: Trust) -> Study:
    """Return the study of a table; ``folder`` is where its files lie, ``name`` what it is called by default."""
    item_tables = table.get("items", [{}])
    varied_values = table.get("vary", {})
    if (
        not isinstance(item_tables, Sequence)
        or isinstance(item_tables, str)
        or not all(isinstance(i, Mapping) for i in item_tables)
    ):
        raise AlgorithmError(f"items must be a list of tables, [[items]]; got {item_tables!r}.")
    if not isinstance(varied_values, Mapping):
        raise AlgorithmError(f"vary must be a table of lists, [vary]; got {varied_values!r}.")
    common_keys = {key: value for key, value in table.items() if key not in _WORDS}
    lists = [_check_values(key, values) for key, values in varied_values.items()]
    count = math.prod([len(item_tables), *(number for *_, number in lists)])
    if not 0 < count <= MOST_ITEMS:
        raise AlgorithmError(f"A study has 1 to {MOST_ITEMS:,} runs; this one has {count:,}.")
    axes = [_make_axis(key, values) for key, values, _ in lists]
    base: dict[str, tuple[str, dict[str, Any]]] = {}
    items: dict[str, Item] = {}
    for listed_keys in item_tables:
        for combination in itertools.product(*axes):
            keys = {
                **common_keys,
                **{key: value for key, value in listed_keys.items() if key != "name"},
            }
            if "name" in listed_keys:
                labels = {"item": listed_keys["name"]}
            else:
                labels = _make_labels(listed_keys)
            for label, values in combination:
                keys |= values
                labels |= label
            item = _make_item(keys, labels, base, folder, trust=trust)
            _check_same_rule(items.setdefault(item.name, item), item)
    return Study(str(table.get("name", name)), tuple(items.values()))


def _check_same_rule(item: Item, other: Item) -> None:
    """Refuse rules of one's own that may play otherwise in two items that are told apart by nothing."""
    rules = [
        options["algorithm"].rule
        for options in (item.options, other.options)
        if isinstance(options.get("algorithm"), Algorithm)
    ]
    if len(rules) == 2 and None not in rules:
        rules[0].check_same(rules[1])


def _check_values(key: str, values: Any) -> tuple[str, Sequence[Any], int]:
    """Return what varies, its values, and how many there are: of seeds any number, which ``len`` may not tell."""
    if key == "seeds":
        if not is_whole(values, 1, math.inf):
            raise AlgorithmError(f"seeds must be a whole number, 1 or more; got {values!r}.")
        return "seed", range(int(values)), int(values)
    if not isinstance(values, Sequence) or isinstance(values, str) or not values:
        raise AlgorithmError(f"vary.{key} must be a list of one value or more; got {values!r}.")
    return key, values, len(values)


def _make_axis(key: str, values: Sequence[Any]) -> list[tuple[dict[str, Plain], dict[str, Any]]]:
    """Return the values of what varies, each as label and as keys that it sets."""
    changes_together = key not in OPTIONS and all(
        isinstance(value, Mapping) and "name" in value for value in values
    )
    if changes_together:
        return [
            ({key: value["name"]}, {k: v for k, v in value.items() if k != "name"})
            for value in values
        ]
    return [(_make_labels({key: value}), {key: value}) for value in values]


def _make_labels(values: Mapping[str, Any]) -> dict[str, Plain]:
    """Return values as plain ones, for tables."""
    return {key: _plain_label(key, value) for key, value in values.items()}


def _plain_label(key: str, value: Any) -> Plain:
    """Return a value as a plain one that tells it apart in tables."""
    if isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, Algorithm):
        return value.name
    if key in ("rule", "algorithm"):
        return find_algorithm(value).name
    if isinstance(value, Mapping | Sequence):
        return json.dumps(value)
    return str(value)


def _make_item(
    keys: Mapping[str, Any],
    labels: Mapping[str, Plain],
    base: dict[str, tuple[str, dict[str, Any]]],
    folder: Path | None,
    *,
    trust: Trust,
) -> Item:
    """Return the item of some keys: the game, its settings, options and limits."""
    game = keys.get("game")
    if game is None:
        raise GameError('A study names its game: game = "leduc", or a spot file.', wrong_use=True)
    options = {key: value for key, value in keys.items() if key in OPTIONS}
    limits = {key: value for key, value in keys.items() if key in ENDS}
    game_settings = {
        key: value for key, value in keys.items() if key not in ("game", *OPTIONS, *ENDS)
    }
    if isinstance(options.get("rule"), str):
        options["rule"] = path_in_folder(options["rule"], folder)
        check_trust(options["rule"], trust, "rule")
    if "seed" in options and not is_random(options):  # the same run for all seeds
        del options["seed"]
        labels = {key: value for key, value in labels.items() if key != "seed"}
    if isinstance(game, str):
        if game not in base:
            base[game] = read_game(game, folder)
            check_trust(base[game][0], trust)
        name, settings = base[game]
        game = write_game(name, change_settings(settings, game_settings))
    elif game_settings:
        raise GameError(
            f"{next(iter(game_settings))} is a setting of a game that is named by a text; got "
            f"{load(game)!r}.",
            wrong_use=True,
        )
    return make_item(game, options, limits, labels)
