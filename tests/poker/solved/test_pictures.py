"""The 13 × 13 grid of hands of a decision in a spot of hold'em."""

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle

import equilibrist as eq
from equilibrist.plot.style import THEMES, picture
from equilibrist.poker.cards.cards import CLASSES
from equilibrist.show.palette import betting_colours

SPOT = "holdem(board='Td9d6hQc2s', oop='66+,A8s+,KQo:0.5', ip='QQ-22,ATo+', pot=200, stack=900, bets='50%, a; 60%, a')"


@pytest.fixture(scope="module")
def solution():
    return eq.solve(SPOT, iterations=50)


def cells(figure, colours):
    """Return, for each colour, the width of each cell's part, and its height, by row and column."""
    shown = {colour: np.zeros((13, 13, 2)) for colour in colours}
    for patch in figure.axes[0].patches:
        assert isinstance(patch, Rectangle)
        colour = to_hex(patch.get_facecolor(), keep_alpha=True)
        if colour[:7].upper() in shown and colour.endswith("ff"):
            x, y = patch.get_xy()
            shown[colour[:7].upper()][int(y + 1e-9), int(x + 1e-9)] = (
                patch.get_width(),
                patch.get_height(),
            )
    return shown


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_widths_are_what_hands_play_and_heights_what_is_held(solution, theme):
    node = eq.poker.SolvedSpot(solution).node()
    figure = eq.plot.range_grid(solution, theme=theme)
    colours = [THEMES[theme].colour(number) for number in betting_colours(node.actions)]
    assert len(set(colours)) == len(node.actions)
    shown = cells(figure, colours)
    held, mix = node.classes()
    whole = sum(part[..., 0] for part in shown.values()).max()
    for colour, shares in zip(colours, mix, strict=True):
        there = held > 0
        np.testing.assert_allclose(
            shown[colour][..., 0].ravel()[there] / whole, shares[there], atol=1e-12
        )
    aces, kqo = CLASSES.index("AA"), CLASSES.index("KQo")
    heights = next(iter(shown.values()))[..., 1].ravel()
    assert heights[kqo] == pytest.approx(heights[aces] / 2)
    names = [text.get_text() for text in figure.axes[0].texts]
    assert names == list(CLASSES)
    legend = [text.get_text() for text in figure.legends[0].get_texts()]
    assert legend == [f"{word} {share:.1%}" for word, share in zip(("check", "bet 100", "all-in 900"), node.frequencies,
                                                                   strict=True)]  # fmt: skip


@pytest.mark.slow
def test_sources_and_lines(solution, tmp_path):
    spot = eq.poker.SolvedSpot(solution)
    node = spot.node("B100")
    files = {
        picture(lambda theme, own=own: eq.plot.range_grid(*own, theme=theme))
        for own in [(solution, "B100"), (spot, "B100"), (node,), (solution.strategy, "B100")]
    }
    assert len(files) == 1
    assert b"IP after B100" in files.pop()
    other = eq.plot.range_grid(node, player=0)
    assert not other.legends
    with pytest.raises(eq.GameError, match="There is no 'B7'"):
        eq.plot.range_grid(solution, "B7")
    with pytest.raises(eq.GameError, match="A spot of hold'em is needed"):
        eq.plot.range_grid({"J": {"p": 1.0}})


def test_before_the_flop_cells_are_what_classes_play():
    run = eq.solve("push_fold", iterations=30)
    figure = eq.plot.range_grid(run, "push", hand="AhKd")
    colours = [THEMES["light"].colour(number) for number in betting_colours(["call", "fold"])]
    shown = cells(figure, colours)
    whole = sum(part[..., 0] for part in shown.values()).max()
    called = [run.strategy[1, f"{name} push"]["call"] for name in CLASSES]
    np.testing.assert_allclose(shown[colours[0]][..., 0].ravel() / whole, called, atol=1e-12)
    told = " ".join(text.get_text() for text in figure.texts)
    assert "BB after push" in told
    assert "AKo: call 100.0%" in told


def test_bars_of_omaha_are_as_tall_as_their_share_of_the_range():
    spot = "omaha(board='Kh9s4d7c2h', oop='KKQJ,AAQJds', ip='99xxss,AQJT', pot=100, stack=250)"
    node = eq.poker.SolvedSpot(eq.solve(spot, iterations=20)).node()
    figure = eq.plot.range_grid(node)
    bars = figure.axes[0].patches
    made = node.made()
    assert len(bars) == len(made) * len(node.actions)
    heights = [bar.get_height() for bar in bars[:: len(node.actions)]]
    assert heights == pytest.approx([share for share, _ in made.values()])
    widths = np.reshape([bar.get_width() for bar in bars], (len(made), -1))
    assert widths == pytest.approx(np.array([mix for _, (_, _, *mix) in made.values()]))
    assert "set" in figure.axes[0].get_yticklabels()[0].get_text()


def test_more_raises_than_colours_are_hatched():
    spot = SPOT.replace("50%, a; 60%, a", "20%, 40%, 60%, 80%, 100%, 150%, 200%")
    figure = eq.plot.range_grid(eq.solve(spot, iterations=5))
    looks = [
        (patch.get_facecolor(), patch.get_hatch()) for patch in figure.legends[0].get_patches()
    ]
    assert len(set(looks)) == len(looks) == 8


def test_a_hand_is_framed_and_told(solution):
    node = eq.poker.SolvedSpot(solution).node("X-B100")
    number = node.number("KdQh")
    figure = eq.plot.range_grid(node, hand="QhKd")
    framed = [patch for patch in figure.axes[0].patches if patch.get_linewidth() == 2]
    assert [patch.get_xy() for patch in framed] == [(1, 2)]  # KQo, below the diagonal
    told = " ".join(text.get_text() for text in figure.texts).replace("\n", " ")
    assert (
        f"KdQh: EV {node.ev[0][number]:.4g}; fold {node.strategy[0, number]:.1%} (EV 0), call"
        in told
    )
    with pytest.raises(eq.GameError, match="hand: AhKd is not in the range of OOP"):
        eq.plot.range_grid(node, hand="AhKd")
