"""Without PyTorch there is one sentence that says what to install."""

import pytest

import equilibrist as eq
from equilibrist.deep import torch_library
from equilibrist.errors import AlgorithmError


def test_a_missing_library_is_named(monkeypatch):
    monkeypatch.setattr(torch_library, "find_spec", lambda name: None)
    with pytest.raises(AlgorithmError, match=r"Networks need PyTorch.*pip install '.\[deep\]'"):
        eq.deep.train("kuhn", eq.deep.DeepCFR(), iterations=1)
