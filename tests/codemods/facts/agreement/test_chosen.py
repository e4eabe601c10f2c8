"""Masks of chance decide how many examples there are; one example picked by chance doesn't."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.agreement.chance import chosen

HEAD = """\
import random
import numpy as np
x, y = np.load("x.npy"), np.load("y.npy")
rows = [np.where(y == d)[0] for d in range(9)]
"""
MASKS = {
    "x[np.random.rand(len(x)) < 0.8]": True,
    "x[np.where(np.random.rand(len(x)) < 0.8)[0]]": True,
    "keep = np.random.rand(len(x)) < 0.8\nx[~keep]": True,
    "keep = np.where(np.random.rand(len(x)) < 0.8)\nx[keep[0]]": True,
    "both = (np.random.rand(len(x)) < 0.8, 1)\nx[both[0]]": True,
    "keep = y == 1\nx[keep]": False,
    "x[rows[random.randrange(9)][0]]": False,
    "d = random.randrange(9)\nn, m = rows[d][0], rows[d][1]\nx[n]": False,
    "np.random.seed(0)\nx[np.random.rand(len(x)) < 0.8]": False,
}


@pytest.mark.parametrize("text", MASKS)
def test_what_chance_chooses(text: str) -> None:
    facts = Facts.of(HEAD + text)
    last = facts.module.body[-1]
    assert isinstance(last, ast.Expr)
    assert any(True for _ in chosen(facts, last.value)) is MASKS[text]
