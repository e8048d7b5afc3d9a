"""Compiled games and their infosets go to other processes, however these are started, and take little room."""

import hashlib
import multiprocessing
import pickle

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.form.infosets import Infoset, NamedInfosets

FORMS = {
    "sequence": lambda: eq.compile_game(eq.load("leduc")),
    "sequence, three players": lambda: eq.compile_game(eq.load("kuhn(players=3)"), keep_tree=True),
    "public": lambda: eq.compile_public(eq.load("liars_dice(faces=3)").public_states()),
}


def facts(form):
    """What a process can tell of a form, as plain values."""
    uniform = form.average_from_sums(np.zeros(form.length))
    found = form.best_responses(uniform)
    return (
        form.fingerprint,
        found.value,
        found.best_response_value,
        [tuple(form.infosets[i]) for i in (0, 5, -1)],
    )


@pytest.mark.parametrize("name", FORMS)
def test_a_form_is_the_same_after_pickling(name):
    form = FORMS[name]()
    form.infosets, form.slot, form.fingerprint  # noqa: B018 (what follows from the fields is not pickled)
    again = pickle.loads(pickle.dumps(form))
    assert facts(again) == facts(form)
    assert again.infosets == form.infosets
    assert np.array_equal(again.slot, form.slot)
    assert again.describe() == form.describe()
    assert (again.tree is None) == (form.tree is None)
    assert len(pickle.dumps(form)) < 2 * form.nbytes + 20_000


@pytest.mark.slow
@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_other_processes_take_forms(method):
    forms = [make() for make in FORMS.values()]
    with multiprocessing.get_context(method).Pool(1) as pool:
        assert pool.map(facts, forms) == [facts(form) for form in forms]


def test_weights_begin_at_a_line_of_the_cache_again():
    again = pickle.loads(pickle.dumps(eq.compile_game(eq.load("leduc"))))
    assert again.payoff.weights.ctypes.data % 64 == 0


def test_names_are_pickled_by_columns():
    infosets = NamedInfosets(
        [Infoset(i % 2, f"infoset {i}", ("call", "raise", "fold")) for i in range(2_000)]
    )
    data = pickle.dumps(infosets)
    assert pickle.loads(data) == infosets
    assert len(data) < 2_000 * (len("infoset 1234") + 12)


@pytest.mark.parametrize("form", ["sequence", "public"])
def test_strategies_are_small(form):
    solution = eq.solve("liars_dice(faces=5)", iterations=1, form=form)
    data = pickle.dumps(solution.strategy)
    again = pickle.loads(data)
    assert again.infosets == solution.strategy.infosets
    assert np.array_equal(again.probabilities, solution.strategy.probabilities)
    assert len(data) < 8 * len(again.probabilities) + 40 * len(again)


SPOT = "holdem(board='KdQd2d7d', oop='AA,QJs', ip='KK,JTs', pot=100, stack=200, bets='100%')"


@pytest.mark.parametrize(
    ("compiled", "digest"),
    [
        (lambda: eq.compile_game(eq.load("leduc")), "099179e9ad6eb05b"),
        (lambda: eq.compile_public(eq.load("leduc").public_states()), "f24f49ad3f976051"),
        (lambda: eq.compile_cards(eq.load(SPOT)), "4b8ac5a84f97fc9b"),
    ],
)
def test_slots_stand_where_saved_runs_have_them(compiled, digest):
    """Saved tables are in the order of the slots: whoever moves them changes solving.save.FORMAT, then this."""
    slots = np.asarray(compiled().slot, np.int64)
    assert hashlib.sha256(slots.tobytes()).hexdigest()[:16] == digest
