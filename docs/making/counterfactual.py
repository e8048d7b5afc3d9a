"""The picture of a counterfactual value, docs/counterfactual-value.svg: ``python -m docs.making.counterfactual``.

The infoset Qpb of Kuhn poker while all play uniformly: what is on the two ways there, and which factors count. The
numbers come from the package.
"""

from fractions import Fraction
from pathlib import Path

import equilibrist as eq

PICTURE = Path(__file__).parents[1] / "counterfactual-value.svg"
INFOSET = "Qpb"
_WIDE, _HIGH = 740, 452
_STYLE = """
  rect.sheet { fill: #fff } text { fill: #111; font: 13px sans-serif }
  .small { font-size: 12px } .title { font-size: 15px }
  .muted { fill: #5f6368 } .others { fill: #b34a00; font-weight: bold } .own { fill: #0067a3; font-weight: bold }
  line { stroke: #8a9097; stroke-width: 1.4 } line.others { stroke: #d55e00; stroke-width: 3 }
  line.own { stroke: #0072b2; stroke-width: 3; stroke-dasharray: 7 4 }
  circle { fill: #fff; stroke: #5f6368; stroke-width: 1.4 }
  rect.infoset { fill: #0072b2; fill-opacity: .13; stroke: #0072b2; stroke-dasharray: 4 3 }
  @media (prefers-color-scheme: dark) {
    rect.sheet { fill: #14171c } text { fill: #ececec } .muted { fill: #a3a9b2 } .others { fill: #e69f00 }
    .own { fill: #56b4e9 } line { stroke: #6b727c } line.others { stroke: #e69f00 } line.own { stroke: #56b4e9 }
    circle { fill: #14171c; stroke: #a3a9b2 } rect.infoset { fill: #56b4e9; stroke: #56b4e9 }
  }
"""
_X = {
    "root": 60,
    "deal": 205,
    "passed": 350,
    "bet": 495,
    "end": 625,
}  # the columns of the histories
_Y = {"J": 130, "K": 270}  # the rows, by what the other player holds


def values() -> dict[str, Fraction]:
    """Return the counterfactual value of each action at the infoset, and of the infoset, if all play uniformly."""
    found = eq.evaluate("kuhn", {}, missing="uniform", action_values=True).action_values[INFOSET]
    exact = {
        action: Fraction(value.cf_value).limit_denominator(1000) for action, value in found.items()
    }
    return {**exact, INFOSET: sum(exact.values(), Fraction()) / len(exact)}


def signed(number: Fraction) -> str:
    """Return a fraction with the sign of print."""
    return f"{'−' if number < 0 else '+' if number > 0 else ''}{abs(number)}"


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "middle") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" class="{kind}">{text}</text>'


def _way(start: tuple[float, float], end: tuple[float, float], kind: str = "") -> str:
    return f'<line x1="{start[0]}" y1="{start[1]}" x2="{end[0]}" y2="{end[1]}" class="{kind}"/>'


def picture() -> str:
    """Return the picture as SVG, light or dark as its page."""
    root, deal, passed, bet, end = _X.values()
    middle = (_Y["J"] + _Y["K"]) / 2
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDE}" height="{_HIGH}" viewBox="0 0 {_WIDE} {_HIGH}" '
        'role="img" aria-label="The two histories of the infoset Qpb: chance and the opponent count with their '
        'probabilities, the player’s own pass with 1">',
        f"<style>{_STYLE}</style>",
        f'<rect class="sheet" width="{_WIDE}" height="{_HIGH}" rx="8"/>',
        _text(20, 30, "Qpb: “I hold the queen, I passed, the other player bet”", "title", "start"),
        _text((root + deal) / 2, 54, "chance deals"),
        _text((deal + passed) / 2, 54, "I pass"),
        _text((passed + bet) / 2, 54, "the other bets"),
        _text((bet + end) / 2, 54, "I fold or call"),
        f'<rect class="infoset" x="{bet - 22}" y="{_Y["J"] - 44}" '
        f'width="44" height="{_Y["K"] - _Y["J"] + 88}" rx="20"/>',
    ]
    for card, y in _Y.items():
        won = 2 if card == "J" else -2
        above = y - 12
        lines += [
            _way((root, middle), (deal, y), "others"),
            _way((deal, y), (passed, y), "own"),
            _way((passed, y), (bet, y), "others"),
            _way((bet, y), (end, y - 34)),
            _way((bet, y), (end, y + 34)),
            _text(
                (root + deal) / 2 - 24,
                (middle + y) / 2 + (-8 if card == "J" else 20),
                f"Q{card}  1/6",
                "others",
            ),
            _text((deal + passed) / 2, above, "played 1/2, counts 1", "own small"),
            _text((passed + bet) / 2, above, "1/2", "others"),
            _text(end + 10, y - 30, "fold: −1", "", "start"),
            _text(end + 10, y + 38, f"call: {signed(Fraction(won))}", "", "start"),
            _text(bet, y + 60 if card == "K" else y - 52, "π₋ᵢ = 1/6 · 1 · 1/2 = 1/12", "small"),
        ]
        lines += [f'<circle cx="{x}" cy="{y}" r="6"/>' for x in (deal, passed, bet, end)[:3]]
    lines.append(f'<circle cx="{root}" cy="{middle}" r="6"/>')
    at = values()
    formulas = (
        ("v(fold)", "1/12 · (−1) + 1/12 · (−1)", at["fold"]),
        ("v(call)", "1/12 · (+2) + 1/12 · (−2)", at["call"]),
        ("v(Qpb)", f"1/2 · ({signed(at['fold'])}) + 1/2 · {signed(at['call'])}", at[INFOSET]),
    )
    for row, (name, formula, result) in enumerate(formulas):
        lines.append(
            _text(60, 374 + 23 * row, f"{name} = {formula} = {signed(result)}", "", "start")
        )
    regrets = [
        f"regret of {action}: {signed(at[action] - at[INFOSET])}" for action in ("fold", "call")
    ]
    lines += [_text(470, 374 + 23 * row, regret, "", "start") for row, regret in enumerate(regrets)]
    note = (
        "solid: chance and the other player, whose probabilities count; dashed: my own move "
        "on the way, which counts 1"
    )
    lines.append(_text(60, 441, note, "muted small", "start"))
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
