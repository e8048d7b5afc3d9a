"""What games, algorithms and samplings are called besides their names."""

import pytest

import equilibrist as eq
from equilibrist.cfr import algorithms
from equilibrist.cfr.algorithms import ALGORITHMS, find_algorithm
from equilibrist.games import registry
from equilibrist.games.registry import CARD_GAMES, GAMES
from equilibrist.mccfr.sampling import SCHEMES, find_sampling


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("kuhn_poker", "kuhn"),
        ("Kuhn Poker(cards=4)", "kuhn(cards=4)"),
        ("leduc-poker", "leduc"),
        ("rock_paper_scissors", "rps"),
        ("bluff(dice=(2, 1))", "liars_dice(dice=(2, 1), order='face', wild_biddable=False)"),
        (
            "bluff(wild_biddable=True)",
            "liars_dice(order='face')",
        ),  # what is given counts before what is implied
        ("Liars_Dice", "liars_dice"),
    ],
)
def test_games_by_other_names(typed, text):
    assert str(eq.load(typed)) == text


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("vanilla", "cfr"),
        ("Vanilla CFR", "cfr"),
        ("cfr-plus", "cfr+"),
        ("hs_pcfr_plus", "hs-pcfr+"),
        ("DCFR", "dcfr"),
        ("linear", "lcfr"),
        ("discounted", "dcfr"),
    ],
)
def test_algorithms_by_other_names(typed, name):
    assert find_algorithm(typed).name == name


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("cfrcs", "chance"),
        ("chance-sampling", "chance"),
        ("MCCFR(batch=4)", "external(batch=4)"),
        ("outcome sampling", "outcome"),
        ("vanilla", "full"),
    ],
)
def test_samplings_by_other_names(typed, text):
    assert str(find_sampling(typed)) == text


@pytest.mark.parametrize(
    ("find", "typed", "message"),
    [
        (eq.load, "bluf", "There is no game 'bluf'. Did you mean 'bluff'"),
        (eq.load, "zzzz", r"There is no game 'zzzz'\. Known: battleship, .*rps\.$"),
        (find_algorithm, "cfrr", "There is no algorithm 'cfrr'. Did you mean 'cfr'"),
        (
            find_algorithm,
            "cfrcs",
            r"It is a sampling: use the algorithm 'cfr' with sampling='chance' \(--sampling chance",
        ),
        (find_sampling, "externl", "There is no sampling 'externl'. Did you mean 'external'"),
    ],
)
def test_what_may_be_meant_is_said(find, typed, message):
    with pytest.raises(eq.EquilibristError, match=message) as refused:
        find(typed)
    assert refused.value.wrong_use


def test_every_alias_leads_to_something_and_hides_nothing():
    for alias, text in registry.ALIASES.items():
        name = text.partition("(")[0]
        assert name in CARD_GAMES or eq.load(alias).name == name in GAMES
    assert set(algorithms.ALIASES.values()) <= set(ALGORITHMS)
    assert set(algorithms.SAMPLING_ALIASES.values()) <= set(SCHEMES)
    for aliases, names in (
        (registry.ALIASES, GAMES),
        (algorithms.ALIASES, ALGORITHMS),
        (algorithms.SAMPLING_ALIASES, SCHEMES),
    ):
        assert not set(aliases) & set(names)
