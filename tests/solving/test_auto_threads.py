"""``threads="auto"``: one rule, and the same bits as any number."""

import json

import pytest

import equilibrist as eq
from equilibrist._util import processes
from equilibrist._util.processes import cores
from equilibrist.mccfr.sampling import find_sampling
from equilibrist.solving import plan as threads
from equilibrist.solving.plan import drawing_threads, worthwhile_threads
from support.runs import without_seconds


@pytest.mark.parametrize(
    ("sampling", "there", "wanted"),
    [
        ("external", 8, 1),
        ("external(batch=127)", 8, 1),
        ("external(batch=128)", 8, 2),
        ("external(batch=256)", 8, 4),
        ("external(batch=256)", 2, 2),
        ("outcome(batch=511)", 8, 1),
        ("outcome(batch=4096, tree=False)", 1, 1),
        ("outcome(batch=4096, tree=False)", 64, 16),
    ],
)
def test_samples_are_drawn_by_all_cores_where_a_batch_is_long_enough(
    sampling, there, wanted, monkeypatch
):
    monkeypatch.setattr(threads, "cores", lambda: there)
    assert drawing_threads(find_sampling(sampling)) == wanted


def test_full_width_runs_use_all_cores_on_large_public_forms_alone(monkeypatch):
    monkeypatch.setattr(threads, "cores", lambda: 8)
    full = find_sampling("full")
    public = eq.compile_public(eq.load("leduc").public_states())
    assert worthwhile_threads(public, full) == 1
    assert worthwhile_threads(eq.compile_game(eq.load("leduc")), full) == 1
    monkeypatch.setitem(threads._LEAST_SLOTS, "public", public.length)
    assert worthwhile_threads(public, full) == 8


@pytest.mark.parametrize(
    ("text", "most"),
    [("max 100000", None), ("150000 100000", 1), ("50000 100000", 1), ("nonsense", None)],
)
def test_the_quota_of_a_container_counts(text, most, monkeypatch, tmp_path):
    monkeypatch.setattr(processes, "_QUOTA", tmp_path / "none")
    bound = cores()
    (tmp_path / "cpu.max").write_text(text)
    monkeypatch.setattr(processes, "_QUOTA", tmp_path / "cpu.max")
    assert cores() == (most or bound)


@pytest.mark.parametrize(
    "options",
    [
        {"sampling": "external(batch=128)", "seed": 2},
        {"form": "public"},
        {},
        {"sampling": "external(tree=False)"},
    ],
)
def test_auto_gives_the_same_bits_as_one_thread(options, monkeypatch):
    monkeypatch.setattr(threads, "cores", lambda: 2)
    auto, one = (eq.solve("leduc", "cfr", iterations=20, threads=n, **options) for n in ("auto", 1))
    assert without_seconds(auto) == without_seconds(one)
    assert isinstance(auto.config.threads, int)
    resumed = eq.solve(resume=auto, iterations=30, threads="auto")
    assert without_seconds(resumed) == without_seconds(
        eq.solve("leduc", "cfr", iterations=30, **options)
    )


def test_another_word_is_refused():
    with pytest.raises(
        eq.AlgorithmError, match=r"threads must be a whole number, 1 to 1024, or 'auto'; got 'all'"
    ):
        eq.solve("kuhn", threads="all")


def test_the_command_takes_auto(run):
    ran = run(
        "solve",
        "kuhn",
        "--sampling",
        "external(batch=128)",
        "--threads",
        "auto",
        "-n",
        20,
        "--json",
    )
    assert json.loads(ran.out)["iterations"] == 20
    assert "or 'auto'; got 'all'" in run("solve", "kuhn", "--threads", "all").err
