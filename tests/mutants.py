"""Mutants: each line of the update rule, of kernels, of evaluation and of the cache, broken, must fail a named test.

    python tests/mutants.py            # all of them, on all cores
    python tests/mutants.py dense omaha/    # those of functions whose names, or files, contain one of these texts
    python tests/mutants.py --part 2/3    # the second third of them, in the order of the table

Each runs in a copy of the package with the compiler off, so that a mutant costs seconds; those of entries that need
compiled kernels cost more.
What is broken in a line: an arithmetic operator or a comparison is turned into its opposite, a call is left out,
numbers change places, the least is taken for the largest, no for yes, a loop ends one step early.
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


class Entry(NamedTuple):
    """A function, and the tests of which one at least must fail where one of its lines is broken."""

    file: str  # of the package
    function: str  # or Class.method; the first of this name in the file
    test: str  # what pytest is told
    compiled: bool = False  # whether the test needs compiled kernels


REFERENCE = "tests/cfr/test_full.py -m '' -k 'test_kernels_equal_the_reference and (kuhn or long_buckets[33])'"
UPDATE = (
    "tests/cfr/test_full.py tests/cfr/test_minimisers.py tests/solving/test_dilated.py -m '' "
    "-k 'test_kernels_equal_the_reference and long_buckets[33] or plays_the_minimiser and sequence-floor "
    "or fixed_point and kuhn-1.0'"
)
PUBLIC = (
    "tests/form/test_public.py tests/cfr/test_minimisers.py tests/solving/test_qre_forms.py "
    "tests/solving/test_floors.py tests/exploiting/test_exploit.py -m '' "
    "-k 'test_built_in_games_equal_the_reference and kuhn or plays_the_minimiser and public-floor "
    "or False-kuhn or forms_agree and cards or forms_pay or forms_keep'"
)
PUBLIC_QUANTAL = "tests/solving/test_qre_forms.py -k 'False-kuhn'"
CARD_VALUES = (
    "tests/cfr/test_minimisers.py tests/exploiting/test_exploit.py -m '' "
    "-k 'plays_the_minimiser and cards- or bounds_of_a_river'"
)
RULE_WEIGHTS = (
    "tests/cfr/test_rule_weights.py -m '' -k 'powers_of_t and kuhn and not players or infosets_count "
    "or has_the_same_weights and not everywhere or that_are_none or another_shape or column or block_by_block "
    "or goes_on_to_the_same or change_what'"
)
MINIMISER = "tests/cfr/test_minimisers.py -m '' -k 'plays_the_minimiser and {}'"
BUCKETS = (
    "tests/cfr/test_abstract_cfr.py -m '' -k 'equal_the_recursion and (forgetful and dcfr or leduc) or "
    "goes_on_bit or identity or added_up'"
)
WALKED_BUCKETS = "tests/mccfr/test_walked_abstraction.py -k 'iterates and kuhn-dcfr'"
MAPS = "tests/form/test_infoset_map.py"
HAND_INDEX = "tests/poker/buckets/test_hand_index.py -k 'enumeration and (rounds1 or rounds3)'"
HANDS_BY_NUMBER = "tests/poker/buckets/test_hand_index.py -k 'each_number and rounds2'"
HAND_FEATURES = (
    "tests/poker/buckets/test_buckets.py -k 'outcomes_are or distance_of or equities_are and spot0'"
)
CLUSTERS = "tests/poker/buckets/test_k_means.py"
SAMPLING_ACTORS = (
    "tests/cluster/test_sampled_cluster.py "
    "-k 'of_one_process and not save or dies_changes or again_and_again or goes_on or stops "
    "or messages or pool or several or share or while_it_starts'"
)
TERMINAL = "tests/form/test_terminal.py"
FOLDED = "tests/game/test_folded.py"
FOLDED_CARDS = "tests/poker/spot/test_folded.py -k 'written_out and river'"
PASSES = "tests/form/test_passes.py"
TERMS = "tests/form/test_floors.py"
RULE = "tests/cfr/test_regret_matching.py"
QUANTAL = "tests/solving/test_qre.py -k 'kuhn_bets or exponential or plain_fixed'"
LADDER = "tests/solving/test_qre_forms.py -k 'temperatures_fall'"
DILATED = "tests/solving/test_dilated.py -k 'logarithm or worth_its_value'"
LAST_ITERATE = "tests/solving/test_last_iterate.py -m '' -k 'plain_recursion and kuhn'"
TRIGGERS = "tests/correlation/test_trigger_regrets.py -k 'all_plans or fixed_point or learnt'"
RESPONSES = (
    "tests/evaluation/test_evaluation.py -k 'random_games or mistake_is_found or nobody_decides'"
)
CARDS = "tests/form/test_cards.py -k 'recursion or odd_cards or more_hands'"
REMAINDERS = "tests/form/test_remainders.py -m '' -k 'one_street or only_hand or every_order'"
MASSES = "tests/form/test_remainders.py -k 'masses_and_deals'"
SHARES = "tests/form/test_remainders.py -k 'equity_against and not Td7s9s6c-'"
TERMS_OF_FOLDED = "tests/poker/spot/test_folded.py -k 'terms_sum_up'"
LISTED_FOLDED = "tests/poker/spot/test_folded.py -k 'equities_of_three and True'"
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
AGENTS = "tests/evaluation/test_agents.py"
VALUES = "tests/evaluation/test_action_values.py -k 'random_games or recursion'"
GRADES = "tests/poker/histories/test_grade.py -k 'folding or tolerance or text_of_pokerstars or covers or stands'"
MISSING = "tests/poker/histories/test_missing.py -k 'most_decisions or time or goal or leaves_no_range or on_the_way'"
DECISIONS = f"{GRADES[:-1]} or decisions_of'"
PREFLOP_LINE = "tests/poker/histories/test_missing.py -k 'line_before or other_stakes'"
THREE_RANGES = "tests/form/test_ranges.py -k '{}'"
PLACES = "tests/poker/histories/test_missing.py -k 'no_ranges or nearest_stacks or most_decisions or on_the_way'"
AIVAT = "tests/play/test_variance.py -k 'alike or of_kuhn'"
HISTORIES = "tests/study/test_inspect.py -k 'histories_against_a_recursion'"
GADGET = "tests/resolving/test_resolving.py -k 'coin_toss'"
REFINED = "tests/resolving/test_resolving.py -k 'adds_a_penalty'"
MARGIN = "tests/resolving/test_resolving.py -m '' -k 'margin_is_worth'"
CARD_GADGET = "tests/resolving/test_resolving_cards.py -k 'decisions_above'"
MATRICES = (
    "tests/resolving/test_depth_cards.py -m ''"
    " -k 'cut_game and (streets5-3-blueprint-1 or uneven-2-blueprint-0)'"
)
NUTS = "tests/poker/cards/test_made_hands.py -k 'blockers_of or blocks_nothing'"
SAMPLED_RULE = (
    "tests/mccfr/test_sampled_rule.py -m '' "
    "-k 'full_pass and outcome or kernels_do and external and not leduc or goes_on or average or beside or beyond'"
)
WALK_CFR = "tests/mccfr/test_walk_cfr.py -m '' -k 'iterates and (kuhn-dcfr or dark_hex) or forget or floors'"
WALK = (
    "tests/evaluation/test_walk.py -m '' -k 'equals and (kuhn or False-dark_hex) or lacks "
    "or grows or no_bit and kuhn'"
)
LOSSES = "tests/mccfr/test_walk_cfr.py -k 'largest_loss or iterates and kuhn-dcfr'"
LIKELY = "tests/resolving/test_part_properties.py -k 'as_likely'"
SHARES_OF_A_PLAY = "tests/resolving/test_part_properties.py -k 'shares_of_a_play'"
GOOD_PLANS = "tests/resolving/test_part_properties.py -k 'alone_improves'"
LIFTED = "tests/resolving/test_finer.py -k 'lifted and not leduc'"
CARD_LEAVES = "tests/resolving/test_depth_cards.py -k 'no_iterate'"
ANSWERED = "tests/resolving/test_depth.py -k 'nothing_better_is_above and (kuhn or liars)'"
SEATS = "tests/poker/preflop/test_many_handed.py -k 'strengths or paid or split'"
CHARTS = (
    "tests/poker/preflop/test_charts.py -k 'names_say or intervals or text_of_stacks or refused'"
)
SPREAD = (
    "tests/play/test_local_best_response.py -m '' -k 'spread_over or words or "
    "enumerated and kuhn and call'"
)
CHOICES = (
    "tests/poker/solved/test_lines.py tests/play/test_play.py -k 'scores_of or grades_are or "
    "computed_by_hand or replies_are'"
)
MATCH = "tests/play/test_play.py -m '' -k 'coin or exact_value and kuhn or confidence or too_few'"
SESSION = (
    "tests/play/test_play.py -k 'luck_is_fair_over and matrix or average or every_player or "
    "seed_decides'"
)
CURVES = "tests/comparison/test_compare.py -k 'medians or unfinished_run or straight or winner'"
OMAHA = (
    "tests/poker/omaha/test_omaha.py -k 'many_boards or exactly_two or another_evaluator and 7c7d'"
)
OMAHA_RANGES = "tests/poker/omaha/test_omaha.py -m '' -k 'plain_words or suits_are_alike or later_token or no_range'"
PREFLOP = (
    "tests/poker/preflop/test_preflop.py -k 'lines_of_a_tree or ends_pay or dead_money or counts_the_antes or "
    "no_chip or rake_of_the_whole or last_sizes or geometric or no_flop'"
)
PUSH_FOLD = (
    "tests/poker/preflop/test_push_fold.py -k 'antes_are_dead or card_removal or wrong_settings'"
)
ICM = (
    "tests/poker/preflop/test_push_fold.py tests/poker/solved/test_units.py "
    "-k 'icm_is or textbook or tiny_stacks_in_fractions'"
)
MANY_RANGES = (
    "tests/poker/preflop/test_many_ranges.py -m '' -k 'not are_solved and not whoever_folds'"
)
STAKES = "tests/poker/preflop/test_stakes.py -k 'pots or antes or prizes or blind or unequal'"
HEADS_UP = "tests/poker/preflop/test_charts.py -k 'each_stack or published'"
ALL_INS = "tests/poker/preflop/test_three_handed.py -m '' -k 'single_prize or all_in_pays'"
SPOTS = "tests/poker/solved/test_spots.py -k 'sum_over_pairs or before_a_card and X-B50 or nobody_comes'"
CLASSES = "tests/poker/solved/test_spots.py -k 'classes_are_means or clairvoyance'"
FIT_QRE = "tests/solving/test_fit_qre.py -m '' -k 'bisection or upper_bound or no_sense'"
SOLVE_MANY = (
    "tests/solving/test_solve_many.py -k 'told_as_they or an_error or raises_ends and 2 or "
    "an_interrupt and 1'"
)
ROWS = "tests/poker/histories/test_grade.py -k 'folding or covers or stands or fits'"
DEVIATIONS = (
    "tests/correlation/test_correlated.py tests/resolving/test_part_properties.py "
    "-k 'agree and 0- or plan_by_plan and 0- or rows_are_counted or never_moves or from_any_plans'"
)
CACHE = (
    "tests/_jit/test_cache.py -k 'is_read_from or with_the_digest or of_one_place or counts_as_used "
    "or another_signature or 511'"
)
ANSWERS = (
    "tests/exploiting/test_exploit.py "
    "-k 'risk_have_the_known_values and kuhn and uniform or safest_of or different_numbers'"
)
RUNS = (
    "tests/exploiting/test_exploit.py -m '' -k 'runs_enclose and sequence and uniform or "
    "biased and sequence or by_infoset or payments_are and sequence'"
)
TENDENCIES = (
    "tests/exploiting/test_tendencies.py "
    "-k 'moves_by and sequence or log_odds or never or pure_hands or no_percent'"
)
TILTED = "tests/poker/histories/test_observe.py -k 'a_tilt'"
FRONTIER = "tests/exploiting/test_exploit.py -k 'frontier_passes and kuhn or no_more_answers'"

ENTRIES = (
    Entry("cfr/restricted.py", "RestrictedResponse._certify", RUNS, compiled=True),
    Entry("cfr/restricted.py", "ModelPayments.of_model", RUNS, compiled=True),
    Entry("cfr/restricted.py", "BiasedResponse._certify", RUNS, compiled=True),
    Entry("evaluation/response_program.py", "ResponseProgram.maximise", ANSWERS),
    Entry("exploiting/frontier.py", "refine", FRONTIER),
    Entry("exploiting/tendencies.py", "_find_shift", TENDENCIES),
    Entry("exploiting/tendencies.py", "_set_shares", TENDENCIES),
    Entry("poker/histories/observe.py", "tilt", TILTED),
    Entry("form/floors.py", "mix", TERMS),
    Entry("form/floors.py", "are_pinned", TERMS),
    Entry("form/floors.py", "pinned_at", TERMS),
    Entry("form/floors.py", "pinned_of", TERMS),
    Entry("form/floors.py", "free_at", TERMS),
    Entry("form/floors.py", "free_of", TERMS),
    Entry("form/floors.py", "add_payments", TERMS),
    Entry("cfr/regret_matching.py", "update_regret", RULE),
    Entry("cfr/regret_matching.py", "next_probability", RULE),
    Entry("form/sequence/passes.py", "normalise_share", RULE),
    Entry("cfr/quantal.py", "exponential", QUANTAL),
    Entry("cfr/quantal.py", "update_regret", QUANTAL),
    Entry("cfr/quantal.py", "add_share", QUANTAL),
    Entry("cfr/quantal.py", "next_probability", QUANTAL),
    Entry("cfr/quantal.py", "adapt", LADDER),
    Entry("cfr/quantal.py", "_divide_above", DILATED),
    Entry("cfr/quantal.py", "logarithm", DILATED),
    Entry("cfr/quantal.py", "DilatedRule.rule_at_slot", DILATED),
    Entry("cfr/quantal.py", "value_above", DILATED),
    Entry("cfr/reward_transformation.py", "add_to_values", LAST_ITERATE),
    Entry("correlation/trigger_kernels.py", "fill_stationary", TRIGGERS),
    Entry("correlation/trigger_kernels.py", "_add_inflow", TRIGGERS),
    Entry("correlation/trigger_kernels.py", "fill_fixed_point", TRIGGERS),
    Entry("correlation/trigger_kernels.py", "_fill_fixed_point_at", TRIGGERS),
    Entry("correlation/plans.py", "improve_plans", GOOD_PLANS),
    Entry("resolving/cards.py", "_deal_weight", LIKELY),
    Entry("resolving/cards.py", "_street_chances", LIKELY),
    Entry("resolving/finer.py", "lift", LIFTED),
    Entry("cfr/bucket_kernels.py", "add_up", BUCKETS),
    Entry("cfr/bucket_kernels.py", "update_buckets", BUCKETS),
    Entry("cfr/bucket_kernels.py", "spread", BUCKETS),
    Entry("cfr/bucket_kernels.py", "fill_reach_of_table", WALKED_BUCKETS),
    Entry("cfr/bucket_kernels.py", "iterate_buckets", BUCKETS),
    Entry("form/abstract/infoset_map.py", "number_buckets", MAPS),
    Entry("poker/buckets/hand_index.py", "_make_tables", HANDS_BY_NUMBER),
    Entry("poker/buckets/hand_index.py", "_count_ways", HAND_INDEX),
    Entry("poker/buckets/hand_index.py", "_list_fours", HAND_INDEX),
    Entry("poker/buckets/hand_index.py", "_count_hands", HAND_INDEX),
    Entry("poker/buckets/hand_index.py", "choose", HAND_INDEX),
    Entry("poker/buckets/hand_index.py", "number_four", HAND_INDEX),
    Entry("poker/buckets/hand_index.py", "fill_numbers", HAND_INDEX),
    Entry("poker/buckets/hand_index.py", "add_round", HAND_INDEX),
    Entry("poker/buckets/hand_index.py", "sort_suits", HAND_INDEX),
    Entry("poker/buckets/hand_index.py", "count_alike", HAND_INDEX),
    Entry("poker/buckets/hand_index.py", "number_ways", HAND_INDEX),
    Entry("poker/buckets/hand_index.py", "fill_hands", HANDS_BY_NUMBER),
    Entry("poker/buckets/hand_index.py", "split_ways", HANDS_BY_NUMBER),
    Entry("poker/buckets/hand_index.py", "split_rounds", HANDS_BY_NUMBER),
    Entry("poker/buckets/outcomes.py", "find_outcomes", HAND_FEATURES),
    Entry("poker/buckets/outcomes.py", "find_same_hands", HAND_FEATURES),
    Entry("poker/buckets/outcomes.py", "fill_outcomes", HAND_FEATURES),
    Entry("poker/buckets/outcomes.py", "sort_hands", HAND_FEATURES),
    Entry("poker/buckets/outcomes.py", "add_hand", HAND_FEATURES),
    Entry("poker/buckets/outcomes.py", "weight_that_goes_with", HAND_FEATURES),
    Entry("poker/buckets/outcomes.py", "weight_taken_twice", HAND_FEATURES),
    Entry("poker/buckets/features.py", "mean_equities", HAND_FEATURES),
    Entry("poker/buckets/features.py", "describe_by_histogram", HAND_FEATURES),
    Entry("poker/buckets/features.py", "describe_by_buckets", HAND_FEATURES),
    Entry("poker/buckets/features.py", "add_steps", HAND_FEATURES),
    Entry("poker/buckets/k_means.py", "find_clusters", CLUSTERS),
    Entry("poker/buckets/k_means.py", "choose_starts", CLUSTERS),
    Entry("poker/buckets/k_means.py", "_choose_by_weight", CLUSTERS),
    Entry("poker/buckets/k_means.py", "assign_points", CLUSTERS),
    Entry("poker/buckets/k_means.py", "_find_means", CLUSTERS),
    Entry("poker/buckets/k_means.py", "fill_nearest", CLUSTERS),
    Entry("poker/buckets/k_means.py", "add_points", CLUSTERS),
    Entry("cluster/sampled_cfr.py", "ActorIterations._run_turn", SAMPLING_ACTORS),
    Entry("cluster/sampled_cfr.py", "ActorIterations._draw", SAMPLING_ACTORS),
    Entry("cluster/sampled_cfr.py", "ActorIterations._ask", SAMPLING_ACTORS),
    Entry("cluster/sampled_cfr.py", "ActorIterations._recover", SAMPLING_ACTORS),
    Entry("cluster/actors.py", "Restarts.bring_back", SAMPLING_ACTORS),
    Entry("cluster/sampled_cfr.py", "visit_rows", SAMPLING_ACTORS),
    Entry("cluster/sampling_actor.py", "SamplingActor.take_over", SAMPLING_ACTORS),
    Entry("cluster/sampling_actor.py", "SamplingActor.draw", SAMPLING_ACTORS),
    Entry("cluster/sampling_actor.py", "SamplingActor._find_schedule", SAMPLING_ACTORS),
    Entry("cluster/sampling_actor.py", "slots_of", SAMPLING_ACTORS),
    Entry("cluster/sampling_actor.py", "copy_rows", SAMPLING_ACTORS),
    Entry("cluster/sampling_actor.py", "take_rows", SAMPLING_ACTORS),
    Entry("cluster/sampling_actor.py", "list_others", SAMPLING_ACTORS),
    Entry("cfr/kernels.py", "update_infosets", UPDATE),
    Entry("cfr/kernels.py", "update_regrets", REFERENCE),
    Entry("cfr/kernels.py", "add_to_average", REFERENCE),
    Entry("cfr/public_kernels.py", "update_node", PUBLIC),
    Entry("form/sequence/passes.py", "counterfactual_values", PASSES),
    Entry("form/sequence/passes.py", "fill_reach", REFERENCE),
    Entry("form/public/others_reach.py", "fill_others_reach_at_node", PUBLIC_QUANTAL),
    Entry("form/public/form.py", "others_reach", PUBLIC_QUANTAL),
    Entry("form/public/terminal/dense.py", "dense_values", TERMINAL),
    Entry("form/public/terminal/showdown.py", "showdown_values", TERMINAL),
    Entry("form/public/terminal/payoffs.py", "terminal_values", TERMINAL),
    Entry("form/cards/terminal/values.py", "_add_hand", CARDS),
    Entry("form/cards/terminal/values.py", "_subtract_cards", CARDS),
    Entry("form/cards/terminal/values.py", "_sum_up", CARDS),
    Entry("form/cards/terminal/values.py", "_sweep", CARDS),
    Entry("form/cards/terminal/values.py", "_add_up", CARDS),
    Entry("form/cards/terminal/remainders.py", "is_little", REMAINDERS),
    Entry("form/cards/terminal/remainders.py", "_share_a_card", REMAINDERS),
    Entry("form/cards/terminal/remainders.py", "add_remainder", REMAINDERS),
    Entry("form/cards/terminal/four_cards.py", "_mend", REMAINDERS),
    Entry("form/cards/terminal/blockers.py", "mass_of_others", MASSES),
    Entry("game/deal.py", "remaining_weights", MASSES),
    Entry("game/deal.py", "joint_weight", MASSES),
    Entry("poker/spot/showdown.py", "_add_shares_by_hand", SHARES),
    Entry("form/cards/terminal/pair_sums.py", "_add_pairs", FOLDED_CARDS),
    Entry("form/cards/terminal/pair_sums.py", "_sum_folded", FOLDED_CARDS),
    Entry("form/cards/terminal/pair_sums.py", "_sum_shown", FOLDED_CARDS),
    Entry("form/ranges/values.py", "_scale_range", LISTED_FOLDED),
    Entry("form/ranges/values.py", "_add_term", LISTED_FOLDED),
    Entry("form/ranges/folded_terms.py", "_split_weight", TERMS_OF_FOLDED),
    Entry("form/ranges/folded_terms.py", "terms", TERMS_OF_FOLDED),
    Entry("game/folded_kernels.py", "_sum_with_card", FOLDED),
    Entry("game/folded_kernels.py", "add_folded", FOLDED),
    Entry("game/folded_kernels.py", "exclude", FOLDED),
    Entry("game/folded_kernels.py", "count_sets", FOLDED),
    Entry("game/folded_kernels.py", "fill_pairs", FOLDED),
    Entry("form/cards/terminal/four_cards.py", "_add_reach", FOUR_CARDS),
    Entry("form/cards/terminal/four_cards.py", "_compatible_reach", FOUR_CARDS),
    Entry("form/cards/terminal/four_cards.py", "_sum_up", FOUR_CARDS),
    Entry("form/cards/terminal/four_cards.py", "_sweep", FOUR_CARDS),
    Entry("form/cards/terminal/by_hands.py", "values_by_hands", MATRICES),
    Entry("form/cards/walk.py", "_back_up_copies", CARD_CFR),
    Entry("form/cards/leaves.py", "__call__", CARD_LEAVES),
    Entry("form/sequence/cut.py", "end_with_blueprint", ANSWERED),
    Entry("cfr/card_kernels.py", "_node_values", CARD_VALUES),
    Entry("cfr/card_kernels.py", "iterate_until", MANY),
    Entry("mccfr/update.py", "add_regrets", SAMPLES),
    Entry("mccfr/update.py", "sampled_regret", SAMPLES),
    Entry("mccfr/update.py", "update_strategies", STRATEGIES),
    Entry("mccfr/sampled_rule.py", "RuleBook.add_values", SAMPLED_RULE),
    Entry("cfr/own_rule.py", "OwnRule.weigh", RULE_WEIGHTS),
    Entry("cfr/rule_batches.py", "BatchedRule.check_weights", RULE_WEIGHTS),
    Entry("cfr/rule_seats.py", "RuleSeat.add_to_average", RULE_WEIGHTS),
    Entry("cfr/rule_kernels.py", "add_weighted", RULE_WEIGHTS),
    Entry("cfr/rule_kernels.py", "weigh_turn", RULE_WEIGHTS),
    Entry("mccfr/sampled_rule.py", "RuleBook._update_batch", SAMPLED_RULE),
    Entry("evaluation/evaluate.py", "_infoset_losses", RESPONSES),
    Entry("evaluation/agents.py", "_ask_agent", AGENTS),
    Entry("games/rlcard_leduc.py", "_replay", AGENTS),
    Entry("games/rlcard_leduc.py", "_find_winner", AGENTS),
    Entry("evaluation/action_values.py", "cf_values", VALUES),
    Entry("evaluation/action_values.py", "count_own_moves", VALUES),
    Entry("form/sequence/tree.py", "history_values", HISTORIES),
    Entry("poker/histories/runs.py", "_match_action", GRADES),
    Entry("poker/histories/runs.py", "misfit", GRADES),
    Entry("poker/histories/hand.py", "act", DECISIONS),
    Entry("poker/histories/hand.py", "decisions", DECISIONS),
    Entry("poker/histories/missing.py", "find_line_end", PREFLOP_LINE),
    Entry("poker/histories/missing.py", "_match_action", PREFLOP_LINE),
    Entry("poker/histories/missing.py", "place", PLACES),
    Entry("poker/histories/missing.py", "up_to_suits", MISSING),
    Entry("poker/histories/missing.py", "_choose_spots", MISSING),
    Entry("play/variance.py", "of_leaves", AIVAT),
    Entry("play/variance.py", "of_hand", AIVAT),
    Entry("play/local_best_response.py", "exploitability", SPREAD),
    Entry("play/local_best_response.py", "standard_error", SPREAD),
    Entry("play/hand.py", "cost", CHOICES),
    Entry("play/hand.py", "at_stake", CHOICES),
    Entry("play/hand.py", "best", CHOICES),
    Entry("play/hand.py", "luck", SESSION),
    Entry("play/score.py", "limits", CHOICES),
    Entry("play/match.py", "interval", MATCH),
    Entry("play/match.py", "z_score", MATCH),
    Entry("play/match.py", "_share_hands", MATCH),
    Entry("comparison/comparison.py", "standings", CURVES),
    Entry("comparison/comparison.py", "median_curve", CURVES),
    Entry("plot/curve.py", "at", CURVES),
    Entry("poker/preflop/heads_up.py", "solve_heads_up", HEADS_UP),
    Entry("poker/preflop/charts.py", "_intervals", CHARTS),
    Entry("poker/preflop/charts.py", "highest", CHARTS),
    Entry("poker/preflop/charts.py", "text", CHARTS),
    Entry("poker/preflop/charts.py", "read_stacks", CHARTS),
    Entry("form/gadget.py", "Refined.gadgets", REFINED),
    Entry("form/gadget.py", "_range", SHARES_OF_A_PLAY),
    Entry("form/walk/kernels.py", "_finish_action", WALK),
    Entry("form/walk/kernels.py", "_find_group", WALK),
    Entry("form/walk/kernels.py", "_enter_infoset", WALK_CFR),
    Entry("form/walk/kernels.py", "_payoff", LOSSES),
    Entry("form/walk/kernels.py", "_leave_infoset", WALK),
    Entry("cfr/walk_kernels.py", "update_player", WALK_CFR),
    Entry("form/gadget.py", "Resolve.gadgets", GADGET),
    Entry("form/gadget.py", "MaxMargin.gadgets", MARGIN),
    Entry("form/gadget.py", "Reach.gadgets", GADGET),
    Entry("cfr/card_gadget.py", "enter", CARD_GADGET),
    Entry("cfr/card_gadget.py", "decide", CARD_GADGET),
    Entry("poker/cards/made_hands.py", "_needed_cards", NUTS),
    Entry("poker/preflop/many_handed.py", "strength", SEATS),
    Entry("poker/preflop/many_handed.py", "best_hands", SEATS),
    Entry("poker/preflop/many_handed.py", "payoffs", SEATS),
    Entry("poker/preflop/many_handed.py", "pay_prizes", SEATS),
    Entry("poker/preflop/many_ranges.py", "_load_tables", MANY_RANGES),
    Entry("poker/preflop/many_ranges.py", "ManyRanges.read_moves", MANY_RANGES),
    Entry("poker/preflop/many_ranges.py", "ManyRanges.line_weights", MANY_RANGES),
    Entry("poker/preflop/many_ranges.py", "ManyRanges.values_all_in", MANY_RANGES),
    Entry("poker/preflop/many_ranges.py", "ManyRanges._value", MANY_RANGES),
    Entry("poker/preflop/many_ranges.py", "ManyRanges._value_of_three", MANY_RANGES),
    Entry("poker/preflop/many_ranges.py", "ManyRanges._share_of_other", MANY_RANGES),
    Entry("poker/preflop/many_ranges.py", "ManyRanges.values_folded", MANY_RANGES),
    Entry("poker/preflop/many_ranges.py", "_share_of_many", MANY_RANGES),
    Entry("poker/preflop/many_ranges.py", "_mean_equity", MANY_RANGES),
    Entry("poker/omaha/hands.py", "strengths", OMAHA),
    Entry("poker/omaha/hands.py", "_pair_strengths", OMAHA),
    Entry("poker/omaha/hands.py", "suit_counts", OMAHA_RANGES),
    Entry("poker/omaha/ranges.py", "treats_suits_alike", OMAHA_RANGES),
    Entry(
        "form/ranges/boards.py",
        "list_dealt",
        THREE_RANGES.format("merged or histories_written_out"),
        compiled=True,
    ),
    Entry(
        "form/ranges/locks.py", "place_locks", THREE_RANGES.format("moves_of_chance"), compiled=True
    ),
    Entry("poker/spot/icm.py", "_integrate_over_time", ICM),
    Entry("poker/spot/icm.py", "_sum_over_times", ICM),
    Entry("poker/spot/icm.py", "_scale_stacks", ICM),
    Entry("poker/preflop/game.py", "HeadsUp.prior", PUSH_FOLD),
    Entry("poker/preflop/stakes.py", "share_pots", STAKES),
    Entry("poker/preflop/stakes.py", "value_chips", STAKES),
    Entry("poker/preflop/game.py", "HeadsUp.gains", PREFLOP),
    Entry("poker/preflop/game.py", "HeadsUp.payoffs_of_hands", PREFLOP),
    Entry("poker/preflop/game.py", "Preflop.rake_of", PREFLOP),
    Entry("poker/preflop/game.py", "Preflop.after", PREFLOP),
    Entry("poker/preflop/game.py", "Preflop.after_line", PREFLOP),
    Entry("poker/preflop/game.py", "_decision", PREFLOP),
    Entry("poker/preflop/game.py", "_amounts", PREFLOP),
    Entry("poker/preflop/three_handed.py", "_payoffs_after", ALL_INS),
    Entry("poker/preflop/three_handed.py", "_three_way", STAKES),
    Entry("correlation/deviations.py", "triggers", DEVIATIONS),
    Entry("correlation/deviations.py", "constraints", DEVIATIONS),
    Entry("correlation/deviations.py", "deviations", DEVIATIONS),
    Entry("solving/fit_qre.py", "fit_qre", FIT_QRE, compiled=True),
    Entry("solving/fit_qre.py", "_count_actions", FIT_QRE, compiled=True),
    Entry("solving/many.py", "solve_many", SOLVE_MANY, compiled=True),
    Entry("poker/solved/spots.py", "SolvedSpot._reach_on_board", SPOTS, compiled=True),
    Entry("poker/solved/spots.py", "SolvedSpot._node", SPOTS, compiled=True),
    Entry("poker/solved/spot_node.py", "SpotNode.classes", CLASSES, compiled=True),
    Entry("poker/histories/grade.py", "_grade_decision", ROWS, compiled=True),
    Entry("poker/histories/grade.py", "_make_row", ROWS, compiled=True),
    Entry("_jit/cache.py", "_read", CACHE, compiled=True),
)
NOT_SEEN = {  # "function: line": why no test can see that it is broken
    "ManyRanges.line_weights: places = [node + nodes * move for node, move in "
    "zip(line.nodes, line.moves, strict=True)]": (
        "of two halves the second is also found from the end"
    ),
    "ManyRanges._value_of_three: won = {worth[player, first, second], worth[player, second, first]}": (
        "the long way pays the same"
    ),
    "ManyRanges.values_folded: values = np.zeros(len(lines))": "each number is written",
    "_integrate_over_time: first = np.log(_LEAST_TIME / max(1.0, rates.max()))": (
        "the integral begins earlier than it must"
    ),
    "_integrate_over_time: step = _FIRST_STEP": "the step is halved until it is small enough",
    "_integrate_over_time: between = _sum_over_times(rates, prizes, np.arange(first + step / 2, last, step))": (
        "one point more, where nothing is"
    ),
    "_integrate_over_time: before = total * step": "the step is halved once more",
    "_integrate_over_time: if np.abs(total * step - before).max() <= _TOLERANCE * money.max(): break": (
        "the second step is small enough for some hundred players"
    ),
    "_sum_over_times: chunk = max(1, _MOST_NUMBERS // (players * len(prizes)))": (
        "how many numbers there are at a time"
    ),
    "_three_way: ties = {(holder, first): table.ties, (holder, second): table.ties.transpose(0, 2, 1), "
    "(first, second): table.ties.transpose(2, 0, 1)}": "who ties with whom ties as often",
    "iterate_until: exploitability = np.inf": "one more than infinity is the same",
    "tilt: clipped = clipped / clipped.sum(axis=0)": "what a hand's shares sum to is divided out again",
    "tilt: for _ in range(_ROUNDS): mean = tilted @ reach": "it is near enough after fewer rounds",
    "showdown_values: largest_hand = 0": "it is read where a term was larger than 0",
    "end_with_blueprint: infosets = np.union1d(cut.ends.infosets, tree.infoset[is_opponents])": (
        "two that may change places"
    ),
    "decisions: cards_seen = [card for cards in (hand.board, *hand.cards) for card in cards]": (
        "in whatever order"
    ),
    "find_line_end: for action in hand.moves: if isinstance(action, Deal):": (
        "the flop comes before the last one"
    ),
    "_infoset_losses: action_value = cf_value[slot]": ("one more for every action changes no loss"),
    "misfit: return float('inf')": "one more than infinity is the same",
    "_mend: weaker = -1": "what is paid at a showdown that is none is read by nobody",
    "_mend: up_to = -1": "no hand has a place below 0",
    "_mend: table = scratch.card_sums": "more hands are added up anew",
    "decide: self.entering[i] = 0.5": "counts only where no regret is positive",
    "decide: self.entering[i] = 1.0 / count": "counts only where all hands gain the same",
    "read_stacks: low = math.nan": "one more than no number is none",
    "refine: intervals.sort(key=_area_between)": "all kinks are found, in whatever order",
    "tilt: shifts = np.zeros(len(target))": "their mean is taken off",
    "tilt: target = target / target.sum()": "what is scaled to it sums to 1 afterwards",
    "tilt: tilted = clipped": "where the scaling begins changes how soon it ends",
    "ResponseProgram.maximise: lower_bound[self._plans:] = -np.inf": (
        "one more than minus infinity is the same"
    ),
    "best_hands: best = -1": "no seven cards are the weakest hand of five",
    "payoffs: return 0": "nobody reads it: what is paid is written into the last argument",
    "of_leaves: baseline = self.baseline": "a constant, which is taken from what it is added to",
    "up_to_suits: return min(map(tuple, np.sort(self.suits[:, list(board)], axis=1).tolist()))": (
        "another of the boards that are alike stands for them"
    ),
    "decide: count += 1": "of decisions above a part: counts only where all hands gain the same",
    "update_regret: return (logit, logit)": "two that are the same",
    "fill_stationary: share[0] = 1.0": "weights up to a factor",
    "_finish_action: walker.cf_value[row + n] = levels.action_value[level]": (
        "one more for every action changes no regret"
    ),
    "_payoff: payoffs = walker.payoffs": "a copy, which is written before it is read",
    "_payoff: total = 0.0": "all sums are one larger: only whether they are the same is asked",
    "_payoff: total += payoffs[i]": "all sums less than 0: only whether they are the same is asked",
    "constraints: variables = 0": "one variable more, which stands in no row",
    "treats_suits_alike: weights[rows_of(full_range.hands)] = full_range.weights": (
        "one more for all hands that are held: as alike as before"
    ),
    "treats_suits_alike: swaps = (np.array([1, 0, 2, 3]), np.array([1, 2, 3, 0]))": (
        "two that may change places"
    ),
    "_fill_fixed_point_at: for a in range(n): total += t.weight[root + a]": (
        "what 1e-15 is multiplied by, for rates that are 0"
    ),
    "_fill_fixed_point_at: t.rates[0, 0] = 0.0": "nobody asks how often a state is not left",
    "_fill_fixed_point_at: t.rates[outside + b, outside + a] = moved + _LEAST_RATE * total + 1e-300": (
        "where nothing moves all rates are the same, less than 0, and so are their ratios"
    ),
    "_range: reach = np.ones(len(at.reach))": "shares of it alone count",
    "solve_many: workers = config.threads or cores()": "how many go at once changes the speed alone",
    "improve_plans: value = -np.inf": "one more than minus infinity is the same",
    "cf_values: return values": "of no infosets: there is nothing to add to",
    "_sweep: clear_rest(pays, 0, count)": "lanes beyond the hands are nobody's",
    "_sweep: clear_rest(pays, second, count)": "lanes beyond the hands are nobody's",
    "_sum_up: clear_rest(pays, 0, boards.counts[2 * board + player])": (
        "lanes beyond the hands are nobody's"
    ),
    "is_little: return largest(total * LEAST_SHARE - remaining) > 0.0": (
        "all hands are added up anew: right, and slower"
    ),
    "_mend: remaining = _compatible_reach(sums, game, scratch, hands, i) + same": (
        "more hands are added up anew"
    ),
    "joint_weight: product = float(weights[0].sum()) * float(weights[1].sum())": (
        "more deals are added up anew"
    ),
    "remaining_weights: remaining = np.zeros(len(hands))": "each of them is written",
    "remaining_weights: rows = max(1, _PAIRS_AT_ONCE // max(1, len(weighted)))": (
        "how many go at once changes the memory alone"
    ),
    "add_folded: cards = room[0]": "a copy, which is written before it is read",
    "add_folded: fewer = room[1]": "a copy, which is written before it is read",
    "add_folded: fewest = room[2]": "a copy, which is written before it is read",
    "add_folded: more = room[3]": "a copy, which is written before it is read",
    "_scale_range: total = 0.0": "only whether it is 0 is asked",
    "_scale_range: total += weights[hand]": "only whether it is 0 is asked",
    "_scale_range: return total": "only whether it is 0 is asked",
    "_split_weight: form[deck, deck + 1] = 0.5": "eigenvalues are found of what is below the diagonal",
    "_split_weight: is_used = np.abs(eigenvalues) * largest ** 2 > _LEAST_EIGENVALUE": (
        "terms that are nearly 0 are kept"
    ),
    "_split_weight: step = np.where(is_used, _STEP / np.where(is_used, largest, 1.0), 0.0)": (
        "the sum is that of any step, with fewer digits"
    ),
    "exclude: cards = room[0]": "a copy, which is written before it is read",
    "exclude: subset = room[1]": "a copy, which is written before it is read",
    "count_sets: held = room[0]": "a copy, which is written before it is read",
    "exclude: if chosen >> place & 1: subset[count] = cards[place]": "all subsets, in another order",
    "split_ways: first = last": "one step back is the last again",
    "split_ways: high = size[four[last]] - 1": "what is within is less than there is below the next number",
    "split_rounds: high = ranks": "what is within is less than there is below the next rank",
    "find_clusters: best = Clusters(centres, np.inf, 0)": "the first iteration is better",
    "assign_points: threads = min(cores(), len(firsts))": (
        "how many go at once changes the speed alone"
    ),
    "assign_points: if threads <= 1: for first in firsts:": (
        "how many go at once changes the speed alone"
    ),
    "fill_nearest: least[:] = np.inf": "one more than infinity is the same",
    "fill_nearest: nearest[:] = 0": "the first centre is nearer than none",
    "ActorIterations._run_turn: self.place[NODES] += self.sampling.batch * self._histories_of_deal": (
        "no table that actors sample counts more histories than its records"
    ),
    "list_others: for k in range(end): record = records[k]": "the last record of a sample is an end",
    "SamplingActor.draw: no_baseline = np.zeros((0, 2))": "where there is no baseline none is read",
    "dense_values: triples = width // (3 * LANES) * (3 * LANES)": (
        "how many columns go side by side changes the speed alone"
    ),
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
EXTREMES = {
    "max": "min",
    "min": "max",
    "maximum": "minimum",
    "minimum": "maximum",
    "argmax": "argmin",
    "argmin": "argmax",
}


class Mutant(NamedTuple):
    """A line that is broken: where it stands, the line before and after, and the whole source."""

    entry: Entry
    before: str
    after: str
    source: str


def mutants(entry: Entry) -> Iterator[Mutant]:
    """Yield a mutant for each line of a function, and one more for each maximum that is taken."""
    text = (PACKAGE / entry.file).read_text()
    for number in range(len(list(lines_of(ast.parse(text), entry.function)))):
        for change in (_break, _leave_out_maximum):
            tree = ast.parse(text)
            line = list(lines_of(tree, entry.function))[number]
            before = first_line(line)
            if f"{entry.function}: {before}" not in NOT_SEEN and change(line):
                source = ast.unparse(ast.fix_missing_locations(tree))
                yield Mutant(entry, before, first_line(line), source)


def lines_of(tree: ast.Module, function: str) -> Iterator[ast.stmt]:
    """Yield the statements of a function, but for its docstring."""
    found: ast.AST = tree
    for name in function.split("."):
        found = next(
            node
            for node in ast.walk(found)
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name
        )
    for node in ast.walk(found):
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.stmt) and node is not found and not docstring:
            yield node


def first_line(line: ast.stmt) -> str:
    """Return the first line of a statement, as ``ast`` writes it; of a loop or a condition what comes in it as well."""
    text = ast.unparse(line).split("\n")
    if isinstance(line, ast.For | ast.If | ast.While):
        return f"{text[0]} {text[1].strip()}"
    return text[0]


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
    if not isinstance(line, ast.Assign | ast.AnnAssign | ast.Return) or line.value is None:
        return False
    for kind in (ast.BinOp, ast.Compare, ast.Call, ast.Tuple):
        for node in ast.walk(line.value):
            if isinstance(node, kind) and _turn_round(node):
                return True
    if isinstance(line.value, ast.Constant) and isinstance(line.value.value, bool):
        line.value = ast.Constant(not line.value.value)
    else:
        line.value = ast.BinOp(line.value, ast.Add(), ast.Constant(1))
    return True


def _turn_round(node: ast.AST) -> bool:
    """Turn an expression into its opposite in place; return whether there is one."""
    if isinstance(node, ast.BinOp):
        node.op = OPPOSITE[type(node.op)]()
    elif isinstance(node, ast.Compare):
        node.ops = [OPPOSITE[type(node.ops[0])]()]
    elif isinstance(node, ast.Call) and _called(node) in EXTREMES:
        return _swap_extreme(node)
    elif isinstance(node, ast.Call) and _have_an_order(node.args):
        node.args.reverse()
    elif isinstance(node, ast.Tuple) and _have_an_order(node.elts):
        node.elts.reverse()
    else:
        return False
    return True


def _have_an_order(nodes: list[ast.expr]) -> bool:
    """Return whether some expressions read otherwise from the last to the first."""
    texts = [ast.unparse(node) for node in nodes]
    return texts != texts[::-1]


def _called(call: ast.Call) -> str:
    """Return the last name of what is called."""
    return ast.unparse(call.func).rpartition(".")[2]


def _swap_extreme(call: ast.Call) -> bool:
    """Let a call take the least instead of the largest, in place, or the other way round.

    Not the ``maximum`` of kernels, which has no opposite there: :func:`_leave_out_maximum` breaks it.
    """
    if isinstance(call.func, ast.Attribute):
        call.func.attr = EXTREMES[call.func.attr]
        return True
    if isinstance(call.func, ast.Name) and call.func.id in ("max", "min"):
        call.func.id = EXTREMES[call.func.id]
        return True
    return False


def _leave_out_maximum(line: ast.stmt) -> bool:
    """Let the first maximum of a statement be its first argument, in place; return whether there is one."""
    for node in ast.walk(line) if isinstance(line, ast.Assign | ast.AnnAssign | ast.Return) else ():
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
        file = mutant.entry.file
        self.write(file, mutant.source)
        alive = passes(mutant.entry, self.folder.name)
        self.write(file, (PACKAGE / file).read_text())
        print("!" if alive else ".", end="", flush=True)
        return alive


def passes(entry: Entry, folder: str | Path) -> bool:
    """Return whether the test of an entry passes with the package in a folder."""
    environment = os.environ | {
        "NUMBA_DISABLE_JIT": str(int(not entry.compiled)),
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
        "--assert=plain",  # to rewrite modules takes longer than most of these tests
        "--timeout=120",
        "--hypothesis-profile=unshrunk",
        *shlex.split(entry.test),
    ]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode not in (0, 1):  # neither passed nor failed
        sys.exit(f"pytest {entry.test} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.returncode == 0


def read_part(text: str) -> tuple[int, int]:
    """Return the two numbers of ``2/3``."""
    part, parts = map(int, text.split("/"))
    if not 1 <= part <= parts:
        raise ValueError(text)
    return part, parts


def take_part(broken: list[Mutant], part: int, parts: int) -> list[Mutant]:
    """Return one of so many parts of a list, of lengths that differ by one at most.

    Neighbours stay together, because a part first runs the tests of all its functions on the code as it is.
    """
    start = len(broken) * (part - 1) // parts
    end = len(broken) * part // parts
    return broken[start:end]


def check_tests(entries: list[Entry], pool: ThreadPoolExecutor) -> None:
    """Leave with a sentence unless the tests of some entries pass on the code as it is."""
    tests = {(entry.test, entry.compiled): entry for entry in entries}.values()
    for entry, passed in zip(
        tests, pool.map(lambda entry: passes(entry, PACKAGE.parent), tests), strict=True
    ):
        if not passed:
            sys.exit(f"{entry.test} fails on the code as it is.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("functions", nargs="*", help="parts of the names of functions or files")
    parser.add_argument(
        "--part", type=read_part, default=(1, 1), metavar="K/N", help="the Kth of N parts only"
    )
    asked = parser.parse_args()
    chosen = [
        entry
        for entry in ENTRIES
        if any(text in f"{entry.file} {entry.function}" for text in asked.functions or [""])
    ]
    broken = take_part([mutant for entry in chosen for mutant in mutants(entry)], *asked.part)
    workshop = Workshop()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        check_tests([mutant.entry for mutant in broken], pool)
        alive = [
            mutant
            for mutant, lives in zip(broken, pool.map(workshop.survives, broken), strict=True)
            if lives
        ]
    print()
    for mutant in alive:
        entry = mutant.entry
        broken_line = f"'{mutant.before}' → '{mutant.after}'"
        print(f"{entry.file}: {entry.function}: {broken_line} passes {entry.test}")
    print(f"{len(broken)} mutants, {len(broken) - len(alive)} caught.")
    sys.exit(bool(alive))


if __name__ == "__main__":
    main()
