"""The picture of the coin toss solved again by five methods, docs/coin-toss.svg: ``python -m docs.making.coin_toss``.

What each side of the coin earns by playing, against the guess; what the method lets it earn, and the guess it finds.
Guesses and limits come from the package.
"""

from fractions import Fraction
from pathlib import Path

import equilibrist as eq

PICTURE = Path(__file__).parents[1] / "coin-toss.svg"
GAME = Path(__file__).parents[2] / "examples" / "coin_toss.py"
METHODS = ("unsafe", "resolve", "maxmargin", "refined", "reach")
TRUE = Fraction(1, 4)  # the only right guess of heads
_WIDE, _HIGH = 740, 300
_PANEL, _SIDE, _TOP = 142, 112, 66  # pixels from panel to panel, of a side of one, and above it
_STYLE = """
  rect.sheet { fill: #fff } text { fill: #111; font: 12px sans-serif } .title { font-size: 14px; font-weight: bold }
  .muted { fill: #5f6368 } .heads { fill: #b34a00 } .tails { fill: #0067a3 }
  rect.frame { fill: none; stroke: #8a9097 } rect.safe { fill: #009e73; fill-opacity: .25 }
  line.heads { stroke: #d55e00; stroke-width: 2 } line.tails { stroke: #0072b2; stroke-width: 2; stroke-dasharray: 6 3 }
  line.limit { stroke-width: 1; stroke-dasharray: 2 3 } line.guess { stroke: #111; stroke-width: 2 }
  circle { fill: #111 } path { fill: #5f6368 }
  @media (prefers-color-scheme: dark) {
    rect.sheet { fill: #14171c } text { fill: #ececec } .muted, path { fill: #a3a9b2 } .heads { fill: #e69f00 }
    .tails { fill: #56b4e9 } rect.frame { stroke: #6b727c }
    line.heads { stroke: #e69f00 } line.tails { stroke: #56b4e9 }
    line.guess { stroke: #ececec } circle { fill: #ececec }
  }
"""


def solved_again(method: str) -> tuple[Fraction, tuple[Fraction, Fraction], Fraction]:
    """Return the guess of heads, what heads and tails may earn by playing, and the exploitability of the guess."""
    game, half = eq.load(f"{GAME}:CoinToss"), {"sell": 0.5, "play": 0.5}
    guess = {"heads": 0.5, "tails": 0.5}
    blueprint = eq.Strategy.from_dict({(0, "heads"): half, (0, "tails"): half, (1, "guess"): guess})
    part = eq.resolve(blueprint, "guess", method=method, player=1, game=game)
    spliced = eq.splice(blueprint, part)
    limits = dict(zip(part.part.hands, part.part.allowed / part.part.weight, strict=True))
    worth = eq.evaluate(game, spliced).best_response_value[0]
    exact = lambda number: Fraction(float(number)).limit_denominator(1000)  # noqa: E731
    allowed = exact(limits["heads: play"]), exact(limits["tails: play"])
    return exact(spliced[1, "guess"]["heads"]), allowed, exact(worth)


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "middle") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" class="{kind}">{text}</text>'


def _line(start: tuple[float, float], end: tuple[float, float], kind: str) -> str:
    return f'<line x1="{start[0]:g}" y1="{start[1]:g}" x2="{end[0]:g}" y2="{end[1]:g}" class="{kind}"/>'


def _panel(left: float, method: str) -> list[str]:
    guess, (heads, tails), worth = solved_again(method)
    x = lambda share: left + _SIDE * float(share)  # noqa: E731
    y = lambda payoff: _TOP + _SIDE * (1 - float(payoff)) / 2  # noqa: E731
    is_safe = method != "unsafe"
    low, high = ((1 - heads) / 2, (1 + tails) / 2) if is_safe else (Fraction(0), Fraction(1))
    width = max(3.0, x(high) - x(low))
    middle = (x(low) + x(high)) / 2
    shapes = [
        _text(left + _SIDE / 2, _TOP - 12, method, "title"),
        f'<rect class="safe" x="{middle - width / 2:g}" y="{_TOP}" width="{width:g}" height="{_SIDE}"/>',
        f'<rect class="frame" x="{left:g}" y="{_TOP}" width="{_SIDE}" height="{_SIDE}"/>',
        _line((x(0), y(1)), (x(1), y(-1)), "heads"),
        _line((x(0), y(-1)), (x(1), y(1)), "tails"),
        f'<path d="M{x(TRUE):g} {_TOP + _SIDE + 2} l5 9 h-10 z"/>',
        *(_text(x(end), _TOP + _SIDE + 15, str(end), "muted") for end in (0, 1)),
    ]
    below = _TOP + _SIDE + 36
    if not is_safe:
        said = ["any guess", "held to nothing", f"up to {max(TRUE, 1 - TRUE)}"]
    else:
        for limit, kind in ((heads, "heads"), (tails, "tails")):
            shapes.append(_line((x(0), y(limit)), (x(1), y(limit)), f"{kind} limit"))
        shapes += [
            _line((x(guess), _TOP), (x(guess), _TOP + _SIDE), "guess"),
            *(
                f'<circle cx="{x(guess):g}" cy="{y(sign * (1 - 2 * guess)):g}" r="3.5"/>'
                for sign in (1, -1)
            ),
        ]
        said = [f"heads {guess}", f"held to {heads} and {tails}", str(worth)]
    shapes.append(_text(left + _SIDE / 2, below, said[0], "title"))
    shapes.append(_text(left + _SIDE / 2, below + 18, said[1], "muted"))
    shapes.append(_text(left + _SIDE / 2, below + 36, f"exploitability {said[2]}"))
    return shapes


def picture() -> str:
    """Return the picture as SVG, light or dark as its page."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDE}" height="{_HIGH}" viewBox="0 0 {_WIDE} {_HIGH}" '
        'role="img" aria-label="What heads and tails earn by playing against each guess, what five methods let them '
        'earn, and the guess that each finds">',
        f"<style>{_STYLE}</style>",
        f'<rect class="sheet" width="{_WIDE}" height="{_HIGH}" rx="8"/>',
        _text(30, 28, "solid: what heads earns by playing, 1 − 2q", "heads", "start"),
        _text(300, 28, "dashed: what tails earns, 2q − 1", "tails", "start"),
        _text(_WIDE - 30, 28, "across: q, the guess of heads", "muted", "end"),
    ]
    for number, method in enumerate(METHODS):
        lines += _panel(30 + _PANEL * number, method)
    note = "green: guesses that hold both to what they may earn (dotted); triangle: the right guess, 1/4"
    lines.append(_text(30, _HIGH - 16, note, "muted", "start"))
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
