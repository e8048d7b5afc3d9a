"""Settings as plain keywords, as the command, study files and requests have them, become the arguments of ``solve``."""

import pytest

import equilibrist as eq
from equilibrist.cluster.backend import Cluster
from equilibrist.solving.keywords import solve_keywords
from equilibrist.solving.recorder import Record
from equilibrist.solving.save import Save


@pytest.mark.parametrize(
    ("plain", "keywords"),
    [
        ({}, {}),
        ({"iterations": None, "seconds": 3}, {"seconds": 3}),
        ({"record": "all"}, {"record": "all"}),
        ({"record": ["K"], "record_every": 4}, {"record": Record(["K"], 4)}),
        ({"save": "out", "save_streets": ["flop"]}, {"save": Save("out", ["flop"])}),
        ({"actors": 2}, {"backend": Cluster(2)}),
        ({"actors": 3, "ray": "auto"}, {"backend": Cluster(3, "auto")}),
    ],
)
def test_parts_are_put_together(plain, keywords):
    assert solve_keywords(plain) == keywords


@pytest.mark.parametrize("part", ["save_streets", "record_every", "ray"])
def test_a_part_without_what_it_belongs_to_is_refused(part):
    with pytest.raises(eq.AlgorithmError, match=rf"^{part}='x' says .*: give ") as caught:
        solve_keywords({part: "x"})
    assert caught.value.field == part
