"""What to cite for a solution."""

import re
from importlib.metadata import version
from pathlib import Path

import pytest

import equilibrist as eq
from equilibrist.solving.citation import _GAMES, papers

CITATION = Path(__file__).parents[2] / "CITATION.cff"


def stated(name):
    """Return a field of CITATION.cff."""
    return re.search(
        rf'^(?:  - )?{name}: "?(.*?)"?$', CITATION.read_text(encoding="utf-8"), re.MULTILINE
    )[1]


def entries(text):
    """Return the fields of BibTeX entries by key, each field checked to be in balanced braces."""
    found = {}
    for key, body in re.findall(r"^@[a-z]+\{([^,\s]+),\n((?:  .*\n)+)\}$", text, re.MULTILINE):
        fields = dict(re.findall(r"^  ([a-z]+) = \{(.*)\},$", body, re.MULTILINE))
        assert len(fields) == body.count("\n")
        assert body.count("{") == body.count("}")
        found[key] = fields
    assert len(found) == text.count("@")
    return found


def test_software_algorithm_sampling_and_game():
    cited = entries(
        eq.solve("leduc(ranks=2)", "lcfr", sampling="external", iterations=1).citation()
    )
    assert list(cited) == [
        "equilibrist",
        "brown2019solving",
        "lanctot2009monte",
        "southey2005bayes",
    ]
    assert cited["brown2019solving"]["year"] == "2019"
    software = cited["equilibrist"]
    assert (software["author"], software["title"]) == (
        f"{{{stated('name')}}}",
        f"{{{stated('title')}}}",
    )
    assert software["version"] == version("equilibrist")  # what is installed, as the run tells


def test_the_linear_programme_and_a_game_without_a_paper():
    assert list(entries(eq.exact("rps").citation())) == ["equilibrist", "koller1994fast"]


def test_an_algorithm_of_ones_own():
    mine = eq.Algorithm("my own", "a note of mine", gamma=3.0)
    cited = entries(eq.solve("kuhn", mine, iterations=1).citation())
    assert cited["my-own"] == {"title": "{my own}", "note": "a note of mine"}
    assert cited["kuhn1950simplified"]["author"] == "Harold W. Kuhn"


@pytest.mark.parametrize(
    "source",
    [row.source for row in eq.ALGORITHMS.values()] + [s.source for s in eq.SCHEMES.values()],
)
def test_each_source_is_a_paper(source):
    assert source in papers()


def test_each_game_with_a_paper_is_a_game():
    assert set(_GAMES) <= set(eq.GAMES)
    assert set(_GAMES.values()) <= set(papers())
