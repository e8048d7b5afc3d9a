"""The room in which ``equilibrist play`` takes place: what a person is shown, and how the answers are read."""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Sequence
from textwrap import indent
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from .._util.text import count_text, escape_controls
from ..errors import EquilibristError, nearest
from ..evaluation.units import CHIPS, Unit
from ..game.action_names import find_action
from ..show.columns import pack_pieces
from ..show.numbers import format_signed
from .output import Output

if TYPE_CHECKING:
    from ..play.hand import Hand, Move, Turn
    from ..play.session import Session

# characters that actions may take in a line of the table, at most and at least
_LINE = 28
_SHORT_LINE = 18
_OTHERS = 42  # characters that the other columns should have
_MENU = 100  # characters of a line of actions to choose from, at most
_FEW = 3  # of so many actions even those are shown that are never taken
_MOST_SHOWN = 6  # actions of a decision in the table after a hand
_TOTALS = {
    "payoff": "payoff",
    "best play": "= best play",
    "choices": "+ your choices",
    "luck": "+ luck",
    "aivat": "payoff by AIVAT",
}
_NOTHING = 0.0005  # what is less is shown as 0
_CAPTION = " yours: expected payoff with the best play after it; others': how often"
_QUIT = ("q", "quit")
_HELP = ("?", "help")


class _LeavingError(Exception):
    """The player leaves; the text says how."""


class PlayDialogue:
    """The dialogue: what is shown, and how the answers are read."""

    def __init__(
        self, output: Output, session: Session, game: str, against: str, unit: Unit = CHIPS
    ) -> None:
        self.output = output
        self.console = output.console
        self._show = output.show
        self.session = session
        self.game = game
        self.against = against
        self.unit = unit
        from ..play.score import cost_unit

        self.pot = cost_unit(session.playable.form)
        self.hand_shown = self.searches_shown = 0
        self.echo = sys.stdin is None or not sys.stdin.isatty()
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")  # what is no text is no action

    def sit_down(self, hands: int | None) -> None:
        """Play until so many hands are over or the player leaves; then say what came of it."""
        self._welcome()
        farewell = ""
        try:
            while hands is None or len(self.session.hands) < hands:
                hand = self.session.play(self._choose)
                is_shown = self.hand_shown == hand.number
                self._show_hand(hand)
                if (
                    hands is None
                    and not is_shown
                    and self._read("Enter deals the next hand, q leaves: ") in _QUIT
                ):
                    raise _LeavingError("quit")
        except _LeavingError as leave:
            farewell = str(leave)
        except KeyboardInterrupt:
            farewell = "Interrupted"
            self.console.print()
        num_hands = len(self.session.hands)
        if self.output.as_json and (num_hands or farewell == "quit"):
            header = {"game": self.game, "opponent": self.session.opponent or self.against}
            print(json.dumps(header | self.session.summary()))
        elif num_hands:
            if farewell:  # else they have just been shown
                self._show(
                    Text(
                        f"\n{count_text(num_hands, 'hand')} played, --seed {self.session.seed}.",
                        "bold",
                    ),
                    self._totals_table(),
                )
            self._show(
                *self._luck_lines(), *_aivat_lines(self.session), *_score_lines(self.session)
            )
        elif farewell == "quit":
            self._show("No hand was played to its end.")
        elif farewell:
            raise EquilibristError(f"{farewell} before a hand was played to its end.")

    def _welcome(self) -> None:
        session = self.session
        playable = self.session.playable
        if playable.players == 2:
            opponents = "Your opponent"
        else:
            opponents = f"Each of your {playable.players - 1} opponents"
        if playable.players > 1:
            self._show(
                f"{opponents} {session.opponent or f'plays {escape_controls(self.against)}'}."
            )
        if session.line is not None:
            self._show(
                f"Hands are dealt at {escape_controls(session.line.name)}, {session.line.often}."
            )
        if session.strategy.is_searching:
            self._show("It solves again, safely, the parts of the game to which play comes.")
        if session.action_values is None:
            self._show(f"Costs are unknown, for {escape_controls(session.unknown)}")
        self._show(f"Type an action or its number; ? for help, q to leave. (--seed {session.seed})")

    def _choose(self, turn: Turn) -> int:
        if turn.hand != self.hand_shown:
            self.hand_shown = turn.hand
            self._show(
                Text(
                    f"\nHand {turn.hand}: you are player {turn.seat} of {escape_controls(self.game)}.",
                    "bold",
                )
            )
        rows = Table.grid(padding=(0, 2))
        rows.add_column()
        rows.add_column(overflow="fold")
        for label, text in (*turn.table, ("you know", turn.infoset)):
            rows.add_row(
                f"  {escape_controls(label)}",
                Text(escape_controls(text), "bold" if label == "you know" else ""),
            )
        words = [
            f"{number} {escape_controls(action)}" for number, action in enumerate(turn.actions, 1)
        ]
        if not _accepts_numbers(turn.actions):
            words = [*map(escape_controls, turn.actions)]
        self._show(
            rows, Text(indent(pack_pieces(words, min(self.console.width - 2, _MENU)), "  "), "cyan")
        )
        while True:
            answer = self._read()
            number = _match_answer(answer, turn.actions)
            if number is not None:
                return number
            if answer in _QUIT:
                raise _LeavingError("quit")
            if answer in _HELP:
                self._show(_help_text(self.session, turn))
            elif answer:
                self._show(
                    f"No action is called '{escape_controls(answer)}'.{_answer_hint(answer, turn.actions)} ? "
                    "helps, q leaves."
                )

    def _read(self, prompt: str = "Your move: ") -> str:
        self.console.print(prompt, end="", highlight=False)
        self.console.file.flush()
        line = "" if sys.stdin is None else sys.stdin.readline()
        if self.echo:
            self._show(escape_controls(line.strip()))
        if not line:
            raise _LeavingError("The input ended")
        return line.strip()

    def _show_hand(self, hand: Hand) -> None:
        if hand.number != self.hand_shown:  # the player never had to choose
            self.hand_shown = hand.number
            self._show(
                Text(
                    f"\nHand {hand.number}: you are player {hand.seat}, and were not asked.", "bold"
                )
            )
        names = {move.player: f"player {move.player} " for move in hand.moves} | {hand.seat: "you "}
        words = []
        for move in hand.moves:
            action = escape_controls(move.action)
            if move.player < 0:
                words.append(f"[{action}]")  # outcomes of chance in brackets
            else:
                words.append(names[move.player] + action)
        transcript = ", ".join(words).replace("], [", "] [")
        self._show(
            "", f"The hand: {transcript}", self._result_text(hand), "", self._decision_table(hand)
        )
        if self.session.strategy.is_searching:
            searches = self.session.strategy.log
            self._show(
                *(escape_controls(record.sentence) for record in searches[self.searches_shown :])
            )
            self.searches_shown = len(searches)
        if hand.number == 1 and self.session.action_values is not None:
            self._show(Text(_CAPTION, "dim"))
        self._show("", self._totals_table())

    def _result_text(self, hand: Hand) -> Text:
        won = hand.payoff
        if won is None:
            return Text("The hand ends with your answer.", "bold")
        if won == 0:
            return Text("You win and lose nothing.", "bold")
        verb, colour = ("win", "green") if won > 0 else ("lose", "red")
        return Text(
            f"You {verb} {round(abs(self._convert_payoff(won)), 6):g}{self._unit_sign}.",
            f"bold {colour}",
        )

    def _convert_payoff(self, payoff: float) -> float:
        """Return a payoff or a cost in the unit; the pot is that at the start."""
        return self.unit.change(payoff, self.pot)

    @property
    def _unit_sign(self) -> str:
        """What stands behind a payoff: nothing where it is in chips, as it is net of half the pot in any unit."""
        if self.unit.size == 1 and not self.unit.of_pot:
            return ""
        return f" {self.unit.name}"

    def _decision_table(self, hand: Hand) -> Table:
        line = max(_SHORT_LINE, min(_LINE, self.console.width - _OTHERS))
        table = Table(show_edge=False, pad_edge=True)
        table.add_column("player", no_wrap=True)
        table.add_column("knew", overflow="fold")
        table.add_column("actions", overflow="fold", width=line)
        for heading in ("took", "best response"):
            table.add_column(heading, overflow="fold")
        table.add_column("cost", justify="right", no_wrap=True)
        for move in hand.moves[hand.begun :]:
            if move.player < 0:
                continue
            player = str(move.player)
            cells = ["", ""]
            if move.player == hand.seat:
                if len(move.best) < len(move.actions):
                    best = ", ".join(map(escape_controls, move.best))
                else:
                    best = "any"
                if move.cost is None:
                    cost = "unknown"
                else:
                    cost = f"{self._convert_payoff(move.cost):.3f}"
                player = "you"
                cells = [best or "unknown", cost]
            table.add_row(
                player,
                escape_controls(move.infoset),
                self._action_text(move, line),
                escape_controls(move.action),
                *cells,
            )
        return table

    def _totals_table(self) -> Table:
        """Return the totals of all hands: payoff = best play − costs + luck."""
        table = Table(
            count_text(len(self.session.hands), "hand") + self._unit_sign.replace(" ", ", ", 1),
            show_edge=False,
        )
        for heading in ("total", "per hand", "standard error"):
            table.add_column(heading, justify="right")
        for label, (total, mean, error) in self.session.totals().items():
            if error is None or label == "best play":
                spread = ""
            else:
                spread = f"± {self._convert_payoff(error):.3f}"
            table.add_row(
                _TOTALS[label],
                format_signed(self._convert_payoff(total)),
                format_signed(self._convert_payoff(mean)),
                spread,
            )
        return table

    def _luck_lines(self) -> list[str]:
        """Return the best estimate of what the player earns in the long run, where there is one."""
        totals = self.session.totals()
        if not {"payoff", "choices"} <= totals.keys():
            return []
        mean = totals["best play"].mean + totals["choices"].mean
        error = totals["choices"].error
        spread = "" if error is None else f" ± {self._convert_payoff(error):.3f}"
        mean_text = f"{format_signed(self._convert_payoff(mean))}{spread}{self._unit_sign}"
        return [
            f"Without luck: {mean_text} per hand, which is what to expect of playing on like this."
        ]

    def _action_text(self, move: Move, length: int) -> str:
        """Return the value of each action, or its probability, in lines; the largest where there are many."""
        weight = move.probabilities
        if move.action_values is not None:
            weight = tuple(self.unit.ev(value, self.pot) for value in move.action_values)
        if weight is None:
            return ", ".join(map(escape_controls, move.actions))
        order = sorted(
            range(len(weight)), key=lambda number: (number != move.taken, -weight[number])
        )
        if move.action_values is None and len(weight) > _FEW:
            order = [
                number for number in order if number == move.taken or weight[number] >= _NOTHING
            ]
        numbers = sorted(order[:_MOST_SHOWN])
        format_weight = "{:.1%}".format if move.action_values is None else format_signed
        words = [
            f"{escape_controls(move.actions[number])} {format_weight(weight[number])}"
            for number in numbers
        ]
        words += [f"and {len(order) - len(numbers)} more"] if len(order) > len(numbers) else []
        words += ["(unknown to it: uniform)"] if move.unknown else []
        return pack_pieces(words, length, gap=2)


def _aivat_lines(session: Session) -> list[str]:
    from ..play.variance import worth, worth_sentence

    totals = session.totals()
    hands = len(session.hands)
    if not {"payoff", "aivat"} <= totals.keys():
        return []
    error = totals["aivat"].error
    return [worth_sentence(hands, error, worth(hands, totals["payoff"].error, error))]


def _score_lines(session: Session) -> list[str]:
    if session.line is None or session.action_values is None:
        return []
    from ..play.score import score

    share, grades = score(
        [move for hand in session.hands for move in hand.choices], session.grading
    )
    grade_counts = ", ".join(f"{count} {name}" for name, count in grades.items() if count)
    note = session.grading.note
    return [f"Score: {share:.1%} of what was at stake; {grade_counts}.", *([note] if note else [])]


def _accepts_numbers(actions: Sequence[str]) -> bool:
    """Whether actions may be chosen by number, as none of them is named by one."""
    return not any(action.strip().isdigit() for action in actions)


def _match_answer(answer: str, actions: Sequence[str]) -> int | None:
    """Return the number of the action that an answer names, if it names one: by its name, or by its number."""
    named = find_action(answer, [action.strip() for action in actions])
    if named is not None:
        return named
    if _accepts_numbers(actions) and answer.isdecimal() and 1 <= int(answer) <= len(actions):
        return int(answer) - 1
    return None


def _answer_hint(answer: str, actions: Sequence[str]) -> str:
    if len(actions) <= _MOST_SHOWN:
        return f" There is {', '.join(map(escape_controls, actions))}."
    hint = nearest(answer, actions)
    span = f" There are {len(actions)}, from {escape_controls(actions[0])!r} to {escape_controls(actions[-1])!r}."
    if "mean" in hint:
        return escape_controls(hint)
    return span


def _help_text(session: Session, turn: Turn) -> str:
    rules = type(session.playable.rules)
    is_read = rules.__module__ in ("equilibrist.games.gambit_game", "equilibrist.games.openspiel")
    docstring = "" if is_read else inspect.getdoc(rules) or ""
    paragraphs = docstring.partition("\nParameters\n")[0].replace("``", "").strip().split("\n\n")
    by_number = " or its number" if _accepts_numbers(turn.actions) else ""
    return "\n\n".join(
        (
            f"Type the name of an action, its letter in poker{by_number}; q leaves, and so does Ctrl-C. 'you know' is "
            "your infoset: all that you have seen, named as in files of strategies. After the hand you see what each "
            "of your actions was worth against this opponent, with the best play after it; the cost of a choice is "
            "what it falls short of the best. Payoff = best play - costs + luck.",
            *(" ".join(paragraph.split()) for paragraph in paragraphs if paragraph),
        )
    )
