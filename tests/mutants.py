"""Mutants: each line of the update rule, of kernels, of evaluation and of the cache, broken, must fail a named test.

    python tests/mutants.py            # all of them, on all cores
    python tests/mutants.py dense      # those of functions whose names contain a text
    python tests/mutants.py --every 3 --first 1    # a third of them: those of number 1, 4, 7, ...

Each runs in a copy of the package with the compiler off, so that a mutant costs seconds (but for those of the cache).
What is broken in a line: an arithmetic operator or a comparison is turned into its opposite, a call is left out,
numbers change places, a loop ends one step early.
"""

from __future__ import annotations

import argparse
import ast
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "equilibrist"
REFERENCE = "tests/cfr/test_full.py -m '' -k 'test_kernels_equal_the_reference and (kuhn or long_buckets[33])'"
UPDATE = (
    "tests/cfr/test_full.py tests/cfr/test_minimisers.py -m '' -k 'test_kernels_equal_the_reference and "
    "long_buckets[33] or plays_the_minimiser and sequence-floor'"
)
PUBLIC = (
    "tests/form/test_public.py tests/cfr/test_minimisers.py tests/solving/test_qre_forms.py "
    "tests/solving/test_floors.py -m '' -k 'test_built_in_games_equal_the_reference and kuhn or "
    "plays_the_minimiser and public-floor or False-kuhn or forms_agree and cards'"
)
PUBLIC_QUANTAL = "tests/solving/test_qre_forms.py -k 'False-kuhn'"
MINIMISER = "tests/cfr/test_minimisers.py -m '' -k 'plays_the_minimiser and {}'"
TERMINAL = "tests/form/test_terminal.py"
PASSES = "tests/form/test_passes.py"
RULE = "tests/cfr/test_regret_matching.py"
QUANTAL = "tests/solving/test_qre.py -k 'kuhn_bets or exponential or plain_fixed'"
LADDER = "tests/solving/test_qre_forms.py -k 'temperatures_fall'"
DILATED = "tests/solving/test_dilated.py -k 'logarithm or worth_its_value'"
LAST_ITERATE = "tests/solving/test_last_iterate.py -k 'plain_recursion and kuhn'"
TRIGGERS = "tests/correlation/test_trigger_regrets.py -k 'all_plans or fixed_point or learnt'"
RESPONSES = (
    "tests/evaluation/test_evaluation.py -k 'random_games or mistake_is_found or nobody_decides'"
)
CARDS = "tests/form/test_cards.py -k 'recursion or odd_cards or more_hands'"
REMAINDERS = "tests/form/test_remainders.py -k 'one_street or only_hand or every_order'"
MASSES = "tests/form/test_remainders.py -k 'masses_and_deals'"
SHARES = "tests/form/test_remainders.py -k 'equity_against and not Td7s9s6c-'"
OWN_REACH = "tests/form/test_remainders.py -k 'nearly_all_of_the_reach'"
FOUR_CARDS = "tests/form/test_many_cards.py -k 'recursion[0-4] or recursion[2- or recursion[4-4] or same_four'"
CARD_CFR = "tests/cfr/test_card_cfr.py tests/form/test_cards.py -m '' -k 'recursion[alternating-dcfr] or more_hands'"
SAMPLES = (
    "tests/mccfr/test_sampling.py -m '' -k '(mean_of_all or average_adds) and kuhn or every_row'"
)
STRATEGIES = (
    "tests/cfr/test_minimisers.py tests/mccfr/test_sampling.py -m '' "
    "-k 'plays_the_minimiser and sampled or sampled_run_plays_uniformly or sample_of_chance_is_a_full_pass'"
)
MANY = "tests/solving/test_solve_many.py -k 'run_until_is'"
VALUES = "tests/evaluation/test_action_values.py -k 'random_games or recursion'"
GRADES = "tests/histories/test_grade.py -k 'folding or tolerance or text_of_pokerstars or covers or stands'"
MISSING = "tests/histories/test_missing.py -k 'most_decisions or time or goal or leaves_no_range or on_the_way'"
DECISIONS = f"{GRADES[:-1]} or decisions_of'"
PREFLOP_LINE = "tests/histories/test_missing.py -k 'line_before or other_stakes'"
PLACES = "tests/histories/test_missing.py -k 'no_ranges or nearest_stacks or most_decisions or on_the_way'"
AIVAT = "tests/play/test_variance.py -k 'alike or of_kuhn'"
HISTORIES = "tests/serve/test_inspect.py -k 'histories_against_a_recursion'"
GADGET = "tests/solving/test_resolving.py -k 'coin_toss'"
REFINED = "tests/solving/test_resolving.py -k 'adds_a_penalty'"
MARGIN = "tests/solving/test_resolving.py -m '' -k 'margin_is_worth'"
CARD_GADGET = "tests/solving/test_resolving_cards.py -k 'decisions_above'"
MATRICES = "tests/solving/test_depth_cards.py -m '' -k 'cut_game and (streets5-3-blueprint-1 or uneven-2-blueprint-0)'"
NUTS = "tests/games/holdem/test_made_hands.py -k 'blockers_of or blocks_nothing'"
WALK_CFR = (
    "tests/mccfr/test_walk_cfr.py -k 'iterates and (kuhn-dcfr or dark_hex) or forget or floors'"
)
WALK = (
    "tests/evaluation/test_walk.py -m '' -k 'equals and (kuhn or False-dark_hex) or lacks "
    "or grows or no_bit and kuhn'"
)
LIKELY = "tests/solving/test_part_properties.py -k 'as_likely'"
SHARES_OF_A_PLAY = "tests/solving/test_part_properties.py -k 'shares_of_a_play'"
GOOD_PLANS = "tests/solving/test_part_properties.py -k 'alone_improves'"
LIFTED = "tests/solving/test_finer.py -k 'lifted and not leduc'"
CARD_LEAVES = "tests/solving/test_depth_cards.py -k 'no_iterate'"
ANSWERED = "tests/solving/test_depth.py -k 'nothing_better_is_above and (kuhn or liars)'"
SEATS = "tests/games/holdem/test_many_handed.py -k 'strengths or paid or split'"
CHARTS = "tests/solving/test_charts.py -k 'names_say or intervals or text_of_stacks or refused'"
SPREAD = (
    "tests/play/test_local_best_response.py -k 'spread_over or words or "
    "enumerated and kuhn and call'"
)
CHOICES = (
    "tests/play/test_lines.py tests/play/test_play.py -k 'scores_of or grades_are or "
    "computed_by_hand or replies_are'"
)
MATCH = "tests/play/test_play.py -k 'coin or exact_value and kuhn or confidence or too_few'"
SESSION = (
    "tests/play/test_play.py -k 'luck_is_fair_over and matrix or average or every_player or "
    "seed_decides'"
)
CURVES = "tests/comparison/test_compare.py -k 'medians or unfinished_run or straight or winner'"
CACHE = "tests/_jit/test_cache.py -k 'is_read_from or with_the_digest or of_one_place'"

KERNELS = (  # file, function, the test that must fail
    ("cfr/regret_matching.py", "update_regret", RULE),
    ("cfr/regret_matching.py", "next_probability", RULE),
    ("form/sequence/passes.py", "normalised", RULE),
    ("cfr/quantal.py", "exponential", QUANTAL),
    ("cfr/quantal.py", "update_regret", QUANTAL),
    ("cfr/quantal.py", "add_share", QUANTAL),
    ("cfr/quantal.py", "next_probability", QUANTAL),
    ("cfr/quantal.py", "adapt", LADDER),
    ("cfr/quantal.py", "_divided", DILATED),
    ("cfr/quantal.py", "logarithm", DILATED),
    ("cfr/quantal.py", "value_above", DILATED),
    ("cfr/reward_transformation.py", "add_to_values", LAST_ITERATE),
    ("correlation/trigger_kernels.py", "stationary", TRIGGERS),
    ("correlation/trigger_kernels.py", "_share_out", TRIGGERS),
    ("correlation/trigger_kernels.py", "settle", TRIGGERS),
    ("correlation/trigger_kernels.py", "_settle_infoset", TRIGGERS),
    ("correlation/plans.py", "good_plans", GOOD_PLANS),
    ("solving/resolving/cards.py", "_dealt", LIKELY),
    ("solving/resolving/cards.py", "_chance", LIKELY),
    ("solving/resolving/finer.py", "lifted", LIFTED),
    ("cfr/kernels.py", "update_infosets", UPDATE),
    ("cfr/kernels.py", "update_regrets", REFERENCE),
    ("cfr/kernels.py", "add_to_average", REFERENCE),
    ("cfr/public_kernels.py", "update_node", PUBLIC),
    ("form/sequence/passes.py", "counterfactual_values", PASSES),
    ("form/sequence/passes.py", "fill_reach", REFERENCE),
    ("form/public/others_reach.py", "fill_others_reach_at_node", PUBLIC_QUANTAL),
    ("form/public/form.py", "others_reach", PUBLIC_QUANTAL),
    ("form/public/terminal/dense.py", "dense_values", TERMINAL),
    ("form/public/terminal/showdown.py", "showdown_values", TERMINAL),
    ("form/public/terminal/payoffs.py", "terminal_values", TERMINAL),
    ("form/cards/terminal/values.py", "_add_hand", CARDS),
    ("form/cards/terminal/values.py", "_without", CARDS),
    ("form/cards/terminal/values.py", "_sum_up", CARDS),
    ("form/cards/terminal/values.py", "_sweep", CARDS),
    ("form/cards/terminal/values.py", "_add_up", CARDS),
    ("form/cards/terminal/remainders.py", "is_little", REMAINDERS),
    ("form/cards/terminal/remainders.py", "_share_a_card", REMAINDERS),
    ("form/cards/terminal/remainders.py", "add_remainder", REMAINDERS),
    ("form/cards/terminal/four_cards.py", "_mend", REMAINDERS),
    ("form/cards/terminal/blockers.py", "mass_of_others", MASSES),
    ("game/deal.py", "remaining_weights", MASSES),
    ("game/deal.py", "joint_weight", MASSES),
    ("games/holdem/showdown.py", "_add_shares_by_hand", SHARES),
    ("form/cards/terminal/four_cards.py", "_add", FOUR_CARDS),
    ("form/cards/terminal/four_cards.py", "_compatible", FOUR_CARDS),
    ("form/cards/terminal/four_cards.py", "_sum_up", FOUR_CARDS),
    ("form/cards/terminal/four_cards.py", "_sweep", FOUR_CARDS),
    ("form/cards/terminal/by_hands.py", "values_by_hands", MATRICES),
    ("form/cards/walk.py", "_back_up_copies", CARD_CFR),
    ("form/cards/leaves.py", "__call__", CARD_LEAVES),
    ("form/sequence/cut.py", "answered", ANSWERED),
    ("cfr/card_kernels.py", "_values_of", MINIMISER.format("cards-")),
    ("cfr/card_kernels.py", "iterate_until", MANY),
    ("mccfr/update.py", "add_regrets", SAMPLES),
    ("mccfr/update.py", "regret_of", SAMPLES),
    ("mccfr/update.py", "update_strategies", STRATEGIES),
    ("evaluation/evaluate.py", "_losses", RESPONSES),
    ("evaluation/action_values.py", "cf_values", VALUES),
    ("evaluation/action_values.py", "own_moves", VALUES),
    ("form/sequence/tree.py", "history_values", HISTORIES),
    ("histories/runs.py", "_match", GRADES),
    ("histories/runs.py", "misfit", GRADES),
    ("histories/hand.py", "act", DECISIONS),
    ("histories/hand.py", "decisions", DECISIONS),
    ("histories/missing.py", "line_of", PREFLOP_LINE),
    ("histories/missing.py", "_action", PREFLOP_LINE),
    ("histories/missing.py", "place", PLACES),
    ("histories/missing.py", "up_to_suits", MISSING),
    ("histories/missing.py", "_chosen", MISSING),
    ("play/variance.py", "of_leaves", AIVAT),
    ("play/variance.py", "of_hand", AIVAT),
    ("play/local_best_response.py", "exploitability", SPREAD),
    ("play/local_best_response.py", "standard_error", SPREAD),
    ("play/hand.py", "cost", CHOICES),
    ("play/hand.py", "at_stake", CHOICES),
    ("play/hand.py", "best", CHOICES),
    ("play/hand.py", "luck", SESSION),
    ("play/score.py", "limits", CHOICES),
    ("play/match.py", "interval", MATCH),
    ("play/match.py", "z_score", MATCH),
    ("play/match.py", "_hands_of_seats", MATCH),
    ("comparison/comparison.py", "standings", CURVES),
    ("comparison/comparison.py", "median_curve", CURVES),
    ("plot/curve.py", "at", CURVES),
    ("solving/charts.py", "_intervals", CHARTS),
    ("solving/charts.py", "highest", CHARTS),
    ("solving/charts.py", "text", CHARTS),
    ("solving/charts.py", "read_stacks", CHARTS),
    ("form/gadget.py", "_refined", REFINED),
    ("form/gadget.py", "_range", SHARES_OF_A_PLAY),
    ("form/walk/kernels.py", "_finish_action", WALK),
    ("form/walk/kernels.py", "_group_of", WALK),
    ("form/walk/kernels.py", "_enter_infoset", WALK_CFR),
    ("cfr/walk_kernels.py", "update_player", WALK_CFR),
    ("form/gadget.py", "_resolve", GADGET),
    ("form/gadget.py", "_maxmargin", MARGIN),
    ("form/gadget.py", "_reach", GADGET),
    ("cfr/card_gadget.py", "enter", CARD_GADGET),
    ("cfr/card_gadget.py", "decide", CARD_GADGET),
    ("games/holdem/made_hands.py", "_needed", NUTS),
    ("games/holdem/many_handed.py", "strength", SEATS),
    ("games/holdem/many_handed.py", "payoffs", SEATS),
    ("_jit/cache.py", "_read", CACHE),
)
NOT_SEEN = {
    "infosets = np.union1d(cut.ends.infosets, tree.infoset[theirs])": "two that may change places",
    "cards_seen = [card for cards in (hand.board, *hand.cards) for card in cards]": "in whatever order",
    "raised = min(move.chips, most)": "two that may change places",
    "later = True": "any number but zero is true",
    "for action in hand.moves:": "the flop comes before the last one",
    "needed[card[~alone[other]]] = True": "any number but zero is true",
    "begin, added = (0, 0)": "zeros that change places",
    "width, others = (game.boards.width[2 * street + player], game.boards.counts[2 * board + 1 - player])": (
        "a player's rows are as wide on the last street, to which -1 leads"
    ),
    "mean, total, count = (0.0, 0.0, 0)": "zeros that change places",
    "best = -1": "no seven cards are the weakest hand of five",
    "count += 1": "of decisions above a part: counts only where all hands gain the same",
    "return (logit, logit)": "two that are the same",
    "x = maximum(x, _LEAST_EXPONENT)": "two that may change places",
    "levels.best[level] = max(levels.best[level], levels.action_best[level])": "two that may change places",
    "common = min(common, self.budget)": "two that may change places",
    "low, high = (math.nan, math.nan)": "two that are the same",
    "share[0] = 1.0": "weights up to a factor",
    "walker.cf_value[row + n] = levels.action_value[level]": "one more for every action changes no regret",
    "return values": "of no infosets: there is nothing to add to",
    "clear_rest(pays, 0, count)": "lanes beyond the hands are nobody's",
    "clear_rest(pays, second, count)": "lanes beyond the hands are nobody's",
    "clear_rest(pays, 0, boards.counts[2 * board + player])": "lanes beyond the hands are nobody's",
    "for folder in folders(self.path):": "the second folder has a slow test",
    "return True": "any number but zero is true",
    "weaker, up_to = (-1, -1)": "two that are the same",
    "return largest(total * LEAST_SHARE - remaining) > 0.0": "all hands are added up anew: right, and slower",
    "remaining = _without(game, scratch, first_hand, at, i, total) + same": "more hands are added up anew",
    "remaining = _compatible(sums, game, scratch, hands, i) + same": "more hands are added up anew",
    "little = np.flatnonzero(mass < LEAST_SHARE * others.sum())": "more hands are added up anew",
    "whole = float(weights[0].sum()) * float(weights[1].sum())": "more deals are added up anew",
    "remaining = np.zeros(len(hands))": "each of them is written",
    "rows = max(1, _PAIRS_AT_ONCE // max(1, len(held)))": "how many go at once changes the memory alone",
    "triples = width // (3 * LANES) * (3 * LANES)": "how many columns go side by side changes the speed alone",
}
OPPOSITE = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Gt: ast.LtE,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.Mod: ast.Mult,
    ast.MatMult: ast.Mult,
    ast.Pow: ast.Mult,
}


class Mutant(NamedTuple):
    """A line that is broken: where it stands, the line before and after, the whole source, and the test."""

    file: str
    function: str
    before: str
    after: str
    source: str
    test: str


def mutants(file: str, function: str, test: str) -> Iterator[Mutant]:
    """Yield a mutant for each line of a function, and one more for each maximum that is taken."""
    text = (PACKAGE / file).read_text()
    for number in range(len(list(_lines(ast.parse(text), function)))):
        for change in (_break, _leave_out_maximum):
            tree = ast.parse(text)
            line = list(_lines(tree, function))[number]
            before = _shown(line)
            if before not in NOT_SEEN and change(line):
                yield Mutant(
                    file,
                    function,
                    before,
                    _shown(line),
                    ast.unparse(ast.fix_missing_locations(tree)),
                    test,
                )


def _lines(tree: ast.Module, function: str) -> Iterator[ast.stmt]:
    """Yield the statements of a function, but for its docstring."""
    found = next(
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name == function
    )
    for node in ast.walk(found):
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.stmt) and node is not found and not docstring:
            yield node


def _shown(line: ast.stmt) -> str:
    return ast.unparse(line).split("\n")[0]


def _break(line: ast.stmt) -> bool:
    """Break a statement in place; return whether there was something to break."""
    if isinstance(line, ast.For):
        early = ast.parse("list(range_)[:-1]", mode="eval").body
        early.value.args = [line.iter]  # type: ignore[attr-defined]
        line.iter = early
        return True
    if isinstance(line, ast.If):
        line.test = ast.UnaryOp(ast.Not(), line.test)
        return True
    if isinstance(line, ast.Expr) and isinstance(line.value, ast.Call):
        line.value = ast.Constant(None)
        return True
    if isinstance(line, ast.AugAssign):
        line.op = OPPOSITE[type(line.op)]()
        return True
    if not isinstance(line, ast.Assign | ast.Return) or line.value is None:
        return False
    for kind in (ast.BinOp, ast.Compare, ast.Call, ast.Tuple):
        for node in ast.walk(line.value):
            if isinstance(node, kind) and _turn_round(node):
                return True
    line.value = ast.BinOp(line.value, ast.Add(), ast.Constant(1))
    return True


def _turn_round(node: ast.AST) -> bool:
    """Turn an expression into its opposite in place; return whether there is one."""
    if isinstance(node, ast.BinOp):
        node.op = OPPOSITE[type(node.op)]()
    elif isinstance(node, ast.Compare):
        node.ops = [OPPOSITE[type(node.ops[0])]()]
    elif isinstance(node, ast.Call) and len(node.args) > 1:
        node.args.reverse()
    elif isinstance(node, ast.Tuple) and len(node.elts) > 1:
        node.elts.reverse()
    else:
        return False
    return True


def _leave_out_maximum(line: ast.stmt) -> bool:
    """Let the first maximum of a statement be its first argument, in place; return whether there is one."""
    for node in ast.walk(line) if isinstance(line, ast.Assign | ast.Return) else ():
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "maximum"
        ):
            node.args = node.args[:1]
            node.func = ast.parse("(lambda number: number)", mode="eval").body
            return True
    return False


class Workshop(threading.local):
    """A copy of the package for each thread, in which one file at a time is broken."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.written = 0
        shutil.copytree(
            PACKAGE, Path(self.folder.name) / PACKAGE.name, ignore=shutil.ignore_patterns("*.nbc")
        )

    def write(self, file: str, text: str) -> None:
        """Write a file, with a time of its own: bytecode is known by whole seconds."""
        path = Path(self.folder.name) / PACKAGE.name / file
        path.write_text(text)
        self.written += 1
        os.utime(path, (self.written, self.written))

    def survives(self, mutant: Mutant) -> bool:
        """Return whether the test passes although the line is broken."""
        self.write(mutant.file, mutant.source)
        alive = passes(mutant.test, self.folder.name)
        self.write(mutant.file, (PACKAGE / mutant.file).read_text())
        print("!" if alive else ".", end="", flush=True)
        return alive


def passes(test: str, folder: str | Path) -> bool:
    """Return whether a test passes with the package in a folder."""
    environment = os.environ | {
        "NUMBA_DISABLE_JIT": str(int(test != CACHE)),
        "PYTHONPATH": str(folder),
    }
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        "--timeout=120",
        "--hypothesis-profile=unshrunk",
        *shlex.split(test),
    ]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode not in (0, 1):  # neither passed nor failed
        sys.exit(f"pytest {test} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.returncode == 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("function", nargs="?", default="", help="a part of the names of functions")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every Nth mutant only")
    parser.add_argument(
        "--first", type=int, default=0, metavar="K", help="from mutant K on, counted from 0"
    )
    asked = parser.parse_args()
    chosen = [kernel for kernel in KERNELS if asked.function in kernel[1]]
    for test in {kernel[2] for kernel in chosen}:
        if not passes(test, PACKAGE.parent):
            sys.exit(f"{test} fails on the code as it is.")
    broken = [mutant for kernel in chosen for mutant in mutants(*kernel)][
        asked.first :: asked.every
    ]
    workshop = Workshop()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        alive = [
            mutant
            for mutant, lives in zip(broken, pool.map(workshop.survives, broken), strict=True)
            if lives
        ]
    print()
    for mutant in alive:
        print(
            f"{mutant.file}: {mutant.function}: '{mutant.before}' → '{mutant.after}' passes {mutant.test}"
        )
    print(f"{len(broken)} mutants, {len(broken) - len(alive)} caught.")
    sys.exit(bool(alive))


if __name__ == "__main__":
    main()
