"""A comparison in a paper: intervals over seeds, pictures of several games, tables in LaTeX, options of the command.

The referees of the intervals are a table of Student's t, and a bootstrap of twenty lines.
"""

import math
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.comparison.comparison import Comparison
from equilibrist.comparison.intervals import Bootstrap, Student, find_interval
from equilibrist.comparison.series import Run
from equilibrist.plot.style import write_picture
from equilibrist.show.latex import escape_latex, number_text
from equilibrist.solving.trace import Checkpoint

pytestmark = pytest.mark.usefixtures("somewhere")
T_975 = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 9: 2.262}
"""Quantiles of Student's t from the table in any textbook, by degrees of freedom."""
GAINS = [(0.5, 0.30), (0.6, 0.10), (0.7, 0.26), (0.8, 0.14)]  # of four seeds, at two checkpoints


def make_run(algorithm, gains, *, seed=0, sampling="external", finished=True):
    trace = tuple(
        Checkpoint(
            10 * (place + 1), 100 * (place + 1), 0.1 * (place + 1), (0.0, 0.0), (gain, gain),
            {"nash_conv": 2 * gain, "exploitability": gain},
        )
        for place, gain in enumerate(gains)
    )  # fmt: skip
    return Run(algorithm, sampling, seed, trace, finished)


def make_comparison(game="kuhn", algorithms=("cfr", "lcfr"), factor=1.0):
    runs = tuple(
        make_run(algorithm, [factor * (1 + place) * gain for gain in gains], seed=seed)
        for place, algorithm in enumerate(algorithms)
        for seed, gains in enumerate(GAINS)
    )
    return Comparison(game, "", "iterations", 20, len(GAINS), runs)


def lines_of(axes):
    return [line for line in axes.lines if not line.get_label().startswith("_")]


def band_of(axes, number):
    """Return the lowest and the highest point of a band at each place."""
    vertices = axes.collections[number].get_paths()[0].vertices
    return {
        x: (vertices[vertices[:, 0] == x, 1].min(), vertices[vertices[:, 0] == x, 1].max())
        for x in sorted({float(x) for x in vertices[:, 0]})
    }


# --- Intervals ---


@pytest.mark.parametrize("num_seeds", [2, 3, 4, 5, 10])
def test_student_is_the_interval_of_textbooks(num_seeds):
    values = np.random.default_rng(num_seeds).exponential(size=(num_seeds, 7))
    middle, low, high = Student().bounds(values)
    for place in range(7):
        row = values[:, place].tolist()
        mean = math.fsum(row) / num_seeds
        variance = math.fsum((value - mean) ** 2 for value in row) / (num_seeds - 1)
        half_width = T_975[num_seeds - 1] * math.sqrt(variance / num_seeds)
        assert middle[place] == pytest.approx(mean, abs=1e-12)
        assert high[place] - low[place] == pytest.approx(2 * half_width, rel=2e-4)
        assert (low[place] + high[place]) / 2 == pytest.approx(mean, abs=1e-12)


@pytest.mark.slow
def test_the_bootstrap_is_that_of_its_definition():
    values = np.random.default_rng(1).exponential(size=(6, 3))
    middle, low, high = Bootstrap().bounds(values)
    rng = np.random.default_rng(2)
    for place in range(3):
        means = sorted(rng.choice(values[:, place], 6).mean() for _ in range(20_000))
        spread = means[-1] - means[0]
        assert middle[place] == pytest.approx(values[:, place].mean())
        assert low[place] == pytest.approx(means[500], abs=0.02 * spread)
        assert high[place] == pytest.approx(means[19_500], abs=0.02 * spread)
    again = Bootstrap().bounds(values)
    assert all((one == other).all() for one, other in zip((middle, low, high), again, strict=True))
    other = Bootstrap(seed=1).bounds(values)
    assert (other.low != low).any()


def test_student_covers_the_mean_as_often_as_it_says():
    rng = np.random.default_rng(3)
    samples = rng.normal(1.0, 2.0, size=(5, 4000))
    _, low, high = Student(confidence=0.9).bounds(samples)
    covered = float(((low <= 1.0) & (high >= 1.0)).mean())
    assert covered == pytest.approx(0.9, abs=0.02)


@pytest.mark.parametrize("interval", ["student", "bootstrap"])
def test_one_seed_has_no_interval(interval):
    middle, low, high = find_interval(interval).bounds(np.array([[1.0, 2.0]]))
    assert middle.tolist() == [1.0, 2.0]
    assert np.isnan(low).all()
    assert np.isnan(high).all()


def test_intervals_by_name():
    assert find_interval("Student-t(confidence=0.9)") == Student(confidence=0.9)
    assert find_interval("bootstrap(resamples=500, seed=3)") == Bootstrap(resamples=500, seed=3)
    assert find_interval(Student()) == Student()


@pytest.mark.parametrize(
    ("interval", "sentence"),
    [
        ("studen", r"There is no interval 'studen'\. Did you mean 'student'\?"),
        ("student(confidence=95)", "confidence must be a number between 0 and 1.*got 95"),
        ("student(level=0.9)", "'student' has the settings confidence; got"),
        ("range(confidence=0.9)", "'range' has the settings none; got"),
        ("bootstrap(resamples=3)", "resamples must be a whole number, 100 to 1,000,000; got 3"),
        ("bootstrap(seed=-1)", "seed of a bootstrap must be a whole number, 0 or more; got -1"),
    ],
)
def test_intervals_that_there_are_not(interval, sentence):
    with pytest.raises(eq.SolutionError, match=sentence) as error:
        make_comparison().plot(interval=interval)
    assert error.value.wrong_use


# --- Pictures ---


def test_the_picture_has_mean_and_interval_and_says_which():
    figure = make_comparison().plot(against="iteration", interval="student")
    (axes,) = figure.axes
    line = lines_of(axes)[0]
    assert list(line.get_ydata()) == pytest.approx([0.65, 0.2])
    expected = Student().bounds(np.array(GAINS))
    band = band_of(axes, 0)
    assert list(band) == [10.0, 20.0]
    for (low, high), x in zip(band.values(), (0, 1), strict=True):
        assert (low, high) == pytest.approx((expected.low[x], expected.high[x]))
    texts = " ".join(text.get_text() for text in figure.texts)
    assert "mean over 4 seeds, band: 95 % confidence interval (Student t)" in texts
    texts = " ".join(t.get_text() for t in make_comparison().plot(interval="bootstrap").texts)
    assert "(percentile bootstrap, 10,000 resamples)" in " ".join(texts.split())
    by_default = " ".join(text.get_text() for text in make_comparison().plot().texts)
    assert "median over 4 seeds, band: from the lowest to the highest" in by_default


def test_a_band_that_reaches_0_ends_below_the_smallest_middle():
    wide = make_comparison(algorithms=("cfr",))
    wide = replace(wide, runs=wide.runs[:2], seeds=2)  # t is 12.7
    assert Student().bounds(np.array(GAINS[:2])).low[1] < 0
    figure = wide.plot(against="iteration", interval="student")
    low, high = band_of(figure.axes[0], 0)[20.0]
    assert low == pytest.approx(0.02)
    assert high > 1
    linear = wide.plot(against="iteration", interval="student", log="x")
    assert band_of(linear.axes[0], 0)[20.0][0] < 0


def test_games_are_panels_in_which_a_curve_looks_the_same():
    kuhn, leduc = make_comparison(), make_comparison("leduc", ("lcfr", "cfr"), factor=3)
    figure = kuhn.plot(leduc, against="seconds")
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["kuhn", "leduc"]
    looks = [
        {line.get_label(): (line.get_color(), line.get_linestyle()) for line in lines_of(axes)}
        for axes in figure.axes
    ]
    assert looks[0] == looks[1]
    assert set(looks[0]) == {"cfr, external", "lcfr, external"}
    assert len(figure.legends[0].get_texts()) == 2
    assert figure.get_suptitle().strip() == "kuhn, leduc"
    assert len(kuhn.plot(leduc).axes) == 6
    assert len(kuhn.plot(leduc, leduc, kuhn, against="nodes").axes) == 4


def test_measure_curves_axes_and_size():
    comparison = make_comparison()
    figure = comparison.plot(
        measure="nash_conv", against="iterations", curves=["lcfr"], log="x", size=(3.4, 2.5)
    )
    (axes,) = figure.axes
    (line,) = lines_of(axes)
    assert line.get_label() == "lcfr, external"
    assert list(line.get_ydata()) == pytest.approx([2 * 2 * 0.65, 2 * 2 * 0.2])
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "linear")
    assert "nash_conv" in axes.get_ylabel()
    assert tuple(figure.get_size_inches()) == (3.4, 2.5)
    both = comparison.plot(curves=["lcfr, external", "cfr"], against="nodes")
    assert len(lines_of(both.axes[0])) == 2


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"measure": "nash_con"}, r"measure must be one of .*got 'nash_con'\. Did you mean 'nash_conv"),
        ({"measure": "cce_distance"}, "The runs on kuhn do not measure 'cce_distance'"),
        ({"against": "hours"}, "against must be one of 'iteration'.*got 'hours'"),
        ({"curves": ["dcfr"]}, r"There is no curve 'dcfr'\. Did you mean"),
        ({"log": "z"}, "log must be 'xy', 'x', 'y' or ''; got 'z'"),
        ({"size": (0.1, 3)}, r"size must be a width and a height in inches.*got \(0.1, 3\)"),
        ({"size": 3}, "size must be a width and a height in inches.*got 3"),
        ({"theme": "grey"}, "theme must be 'light' or 'dark'"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_said(options, sentence):
    with pytest.raises(eq.SolutionError, match=sentence) as error:
        make_comparison().plot(**options)
    assert error.value.wrong_use


def test_general_sum_games_measure_the_distance_from_a_cce():
    comparison = eq.compare("kuhn(players=3)", algorithms="cfr,dcfr", iterations=20)
    figure = comparison.plot(measure="cce_distance", against="iteration", log="x")
    assert "coarse correlated" in figure.axes[0].get_ylabel()
    distance = comparison.runs[0].trace[-1].cce_distance
    assert lines_of(figure.axes[0])[0].get_ydata()[-1] == distance


# --- LaTeX ---


def test_the_table_has_what_was_reached_with_its_interval():
    text = make_comparison().to_latex(
        make_comparison("leduc_poker(a_b=1)", factor=1e-4), interval="student", label="tab:mine"
    )
    lines = [line.strip() for line in text.splitlines()]
    assert lines[0].startswith(r"\begin{table}")
    assert r"\label{tab:mine}" in lines
    assert r"\begin{tabular}{lrrrrrrr}" in lines
    assert r"algorithm & runs & iterations & nodes & time & exploitability & from & to \\" in lines
    rules = [line for line in lines if line in (r"\toprule", r"\midrule", r"\bottomrule")]
    assert rules == [r"\toprule", r"\midrule", r"\midrule", r"\bottomrule"]
    assert r"\multicolumn{8}{l}{\emph{leduc\_poker(a\_b=1)}} \\" in lines
    middle, low, high = (numbers[1] for numbers in Student().bounds(np.array(GAINS)))
    cells = [number_text(f"{middle:.3e}"), number_text(f"{low:.2e}"), number_text(f"{high:.2e}")]
    row = next(line for line in lines if line.startswith("cfr &"))
    assert row == rf"cfr & 4 & 20 & 200 & 200 ms & {' & '.join(cells)} \\"
    small = [line for line in lines if r"\times 10^{-5}" in line]
    assert small[0].startswith("cfr & 4 &")  # the best first
    caption = next(line for line in lines if line.startswith(r"\caption"))
    assert "mean over 4 seeds, from and to: 95 \\% confidence interval (Student t)" in caption
    assert "exploitability, payoff per game" in caption


def test_full_width_runs_have_no_columns_of_seeds():
    comparison = eq.compare("kuhn", algorithms="cfr,cfr+", sampling="full", iterations=9)
    assert "& from &" not in comparison.to_latex(interval="student")
    mixed = eq.compare("kuhn", algorithms="cfr", sampling="full,external", seeds=2, iterations=9)
    rows = [line for line in mixed.to_latex(interval="student").splitlines() if "full &" in line]
    assert rows[0].endswith(r"& -- & -- \\")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("cfr+", "cfr+"),
        (r"50% of a_b & #1 {x} $y$ \z", r"50\% of a\_b \& \#1 \{x\} \$y\$ \textbackslash{}z"),
        ("~^<>|", r"\textasciitilde{}\textasciicircum{}\textless{}\textgreater{}\textbar{}"),
        ("2·10⁻⁷", r"2\ensuremath{\cdot}10\ensuremath{^{-7}}"),
        ("a\nb\x1b", "a b "),
    ],
)
def test_names_are_escaped(text, written):
    assert escape_latex(text) == written


@pytest.mark.parametrize(
    ("text", "written"),
    [("1.50e-03", r"$1.50 \times 10^{-3}$"), ("1.50e+00", "$1.50$"), ("–", "--"), ("-3", "$-3$"), ("12 %", r"12 \%")],
)  # fmt: skip
def test_numbers_in_latex(text, written):
    assert number_text(text) == written


@pytest.mark.slow
def test_latex_reads_the_table_and_the_picture():
    if shutil.which("pdflatex") is None:
        pytest.skip("needs pdflatex")
    odd = replace(make_comparison("50% _a$b$ & #1", factor=1e-4), fingerprint="x")
    kuhn = make_comparison()
    Path("table.tex").write_text(kuhn.to_latex(odd, interval="bootstrap"), encoding="utf-8")
    write_picture(lambda theme: kuhn.plot(odd, interval="student", theme=theme), "picture.pgf")
    Path("paper.tex").write_text(
        "\\documentclass{article}\\usepackage{booktabs,pgf}\\def\\mathdefault#1{#1}\n"
        "\\begin{document}\\input{table.tex}\\input{picture.pgf}\\end{document}\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"],
        capture_output=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:]
    assert Path("paper.pdf").read_bytes().startswith(b"%PDF")


def test_pgf_without_latex_is_refused_in_a_sentence(run, monkeypatch):
    monkeypatch.setattr("equilibrist.show.latex.shutil.which", lambda program: None)
    sentence = "A picture as PGF needs LaTeX, which measures its texts; none of pdflatex"
    with pytest.raises(eq.SolutionError, match=sentence):
        write_picture(lambda theme: make_comparison().plot(theme=theme), "x.pgf")
    ran = run("compare", "kuhn", "-n", 9, "--out", "out", "--picture", "x.pgf")
    ran.fails(2, sentence)
    assert not Path("out").exists()  # before anything is solved
    assert not Path("x.pgf").exists()


# --- The command ---


def test_the_command_draws_and_writes_several_games(run):
    ran = run(
        "compare", "kuhn", "kuhn(cards=4)", "-a", "cfr,lcfr", "--sampling", "external", "-n", 30,
        "--seeds", 3, "--interval", "student", "--picture", "both.svg", "--latex", "both.tex",
        "--size", "5.5x2.6", "--against", "nodes", "--curve", "lcfr", "--out", "out",
    )  # fmt: skip
    assert (ran.code, ran.err) == (0, "")
    assert sorted(path.name for path in Path("out").iterdir()) == ["kuhn", "kuhn-cards-4"]
    assert (Path("out") / "kuhn" / "comparison.svg").exists()
    svg = Path("both.svg").read_text(encoding="utf-8")
    assert "95 % confidence interval (Student t)" in svg
    assert "kuhn(cards=4)" in svg
    width, height = map(float, re.search(r'width="([\d.]+)pt" height="([\d.]+)pt"', svg).groups())
    assert (width / 72, height / 72) == pytest.approx((5.5, 2.6))
    table = Path("both.tex").read_text(encoding="utf-8")
    assert table.count("lcfr &") == 2
    assert "\ncfr &" not in table
    assert "At the end: means, and 95 % confidence interval (Student t)" in ran.out
    assert "Wrote both.svg" in ran.out


def test_several_games_as_json(run):
    args = ("-a", "cfr", "-n", 9, "--json")
    summary = run("compare", "kuhn", "leduc", *args).json
    assert [one["game"] for one in summary["comparisons"]] == ["kuhn", "leduc"]
    assert run("compare", "kuhn", *args).json["game"] == "kuhn"


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["--interval", "studen"], "There is no interval 'studen'. Did you mean 'student'?"),
        (["--measure", "regret"], "measure must be one of 'nash_conv'"),
        (["--against", "hours"], "against must be one of 'iteration'"),
        (["--curve", "dcfrr"], "--curve: there is no curve 'dcfrr'. Did you mean 'dcfr'"),
        (["--log", "z"], "log must be 'xy', 'x', 'y' or ''; got 'z'"),
        (["--size", "wide"], "--size is WIDTHxHEIGHT in inches, as 5.5x2.6; got 'wide'"),
        (["--size", "0.1x3"], "size must be a width and a height in inches"),
        (["--picture", "x.gif"], "A picture is written here"),
        (["--latex", "x.csv"], "LaTeX is written here"),
        (["kuhn"], "Give each game once"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_solved(run, args, sentence):
    games = ["kuhn"]
    run("compare", *games, "-n", 9, "--out", "out", *args).fails(2, sentence)
    assert not Path("out").exists()


@pytest.mark.parametrize("option", [pytest.param("--picture", marks=pytest.mark.slow), "--latex"])
def test_a_folder_that_is_not_there_is_said_before_anything_is_solved(run, undrawn, option):
    suffix = {"--picture": "svg", "--latex": "tex"}[option]
    ran = run("compare", "kuhn", "-n", 9, "--out", "out", option, f"nowhere/x.{suffix}")
    assert ran.code == 2
    assert "The folder of nowhere/x." in ran.err
    assert not Path("out").exists()
    ran = run("compare", "kuhn", "-n", 9, "--out", "out", option, f"out/x.{suffix}")
    assert ran.code == 0
    assert Path(f"out/x.{suffix}").exists()


def test_what_was_solved_is_shown_though_it_lacks_the_measure_that_was_asked_for(run):
    args = ("-a", "cfr", "-n", 9, "--measure", "cce_distance", "--picture", "x.svg")
    ran = run("compare", "kuhn", *args)
    ran.fails(2, "do not measure 'cce_distance', which other games have: choose one of nash_conv")
    assert re.search(r"cfr\s.*9", ran.out)
    assert not Path("x.svg").exists()
