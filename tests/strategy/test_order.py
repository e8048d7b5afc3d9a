"""The one order in which tables, files, pages and pictures show infosets."""

import pytest

import equilibrist as eq
from equilibrist.plot.movement import most_moved_infosets
from equilibrist.plot.rows import strategy_rows
from equilibrist.show.notebook import render
from equilibrist.strategy.order import reading_order

KUHN = [(0, "J"), (0, "Q"), (0, "K"), (0, "Jpb"), (0, "Qpb"), (0, "Kpb"),
        (1, "Jp"), (1, "Qp"), (1, "Kp"), (1, "Jb"), (1, "Qb"), (1, "Kb")]  # fmt: skip


def keys(game, player=0):
    """Return the names of a player's infosets in the order in which they are shown."""
    infosets = list(eq.compile_game(eq.load(game)).infosets)
    return [infosets[i].key for i in reading_order(infosets) if infosets[i].player == player]


@pytest.mark.parametrize(
    ("game", "first"),
    [
        ("kuhn(cards=12)", [*"3456789TJQKA", "3pb"]),
        ("kuhn(cards=100)", [*map(str, range(1, 101)), "1 pb"]),
        (
            "leduc",
            [
                "J",
                "Q",
                "K",
                "Jcr",
                "Qcr",
                "Kcr",
                "Jrr",
                "Qrr",
                "Krr",
                "Jcc/J",
                "Qcc/J",
                "Kcc/J",
                "Jcc/Q",
            ],
        ),
        (
            "no_limit_leduc(stack=3)",
            ["J", "Q", "K", "J cr2", "Q cr2", "K cr2", "J cr3", "Q cr3", "K cr3", "J r2r3"],
        ),
        ("liars_dice(faces=2)", ["1", "2", "1 1x1 1x2", "2 1x1 1x2", "1 1x1 2x1"]),
    ],
)
def test_by_round_then_line_then_rank(game, first):
    assert keys(game)[: len(first)] == first


def test_openspiel_has_the_same_order():
    pytest.importorskip("pyspiel")
    assert keys("openspiel:kuhn_poker", 1) == ["0p", "1p", "2p", "0b", "1b", "2b"]


def test_one_order_everywhere(tmp_path):
    run = eq.solve("kuhn", "cfr", iterations=30, record="all")
    strategy = run.strategy
    assert [
        (player, key) for player, key, _ in strategy.infosets
    ] != KUHN  # compiled in another order
    assert list(strategy) == KUHN
    strategy.write_csv(tmp_path / "a.csv")
    rows = [
        line.split(",")[:2] for line in (tmp_path / "a.csv").read_text("utf-8").splitlines()[1::2]
    ]
    assert [(int(player), key) for player, key in rows] == KUHN
    assert list(eq.Strategy.read_csv(tmp_path / "a.csv").items()) == list(strategy.items())
    drawn = strategy_rows(strategy, "kuhn", max_infosets=100, tolerance=0.01).rows
    assert [row.infoset[:2] for row in drawn] == KUHN
    assert [
        (one.player, one.infoset) for one in most_moved_infosets(run.recording, None, 100)
    ] == KUHN
    for thing in (strategy, run.recording):
        page = render(thing)
        places = [page.index(f">{player}</td><td>{key}</td>") for player, key in KUHN]
        assert places == sorted(places)
