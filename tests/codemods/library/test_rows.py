"""Rows of patterns: the first that fits counts, whatever it begins with."""

from __future__ import annotations

import re

import pytest

from distify.codemods.library import agreement, call_results
from distify.codemods.library.first_row import Rows

ROWS = (
    (r"numpy\.load$", "file"),
    (r"numpy\.", "array"),
    (r"(?:a|b)\.x$", "either"),
    (r"colou?r$", "optional"),
    (r"\w+_out$", "word"),
    (r"any", None),
    (r"an", "never"),
)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("numpy.load", "file"),
        ("numpy.loadtxt", "array"),
        ("numpyx.load", None),
        ("a.x", "either"),
        ("b.x", "either"),
        ("color", "optional"),
        ("colour", "optional"),
        ("numpy_out", "word"),
        ("anything", None),
        ("an", "never"),
        ("", None),
    ],
)
def test_the_first_row_that_fits_counts(name: str, found: str | None) -> None:
    assert Rows(ROWS).first(name) == found


@pytest.mark.parametrize("rows", [call_results._ROWS, agreement._ROWS])
def test_a_look_at_the_first_word_leaves_no_row_out(rows: tuple[tuple[str, str], ...]) -> None:
    names = [
        f"{module}.{name}"
        for module in (
            "tensorflow",
            "numpy",
            "keras",
            "random",
            "sklearn.model_selection",
            "pandas",
        )
        for name in ("data.Dataset", "keras.Model", "random", "load", "array", "train_test_split")
    ]
    for name in names:
        plain = next((answer for pattern, answer in rows if re.match(pattern, name)), None)
        assert Rows(rows).first(name) == plain


@pytest.mark.parametrize("rows", [call_results._ROWS, agreement._ROWS])
def test_no_row_is_two_patterns_of_which_only_the_first_would_be_seen(
    rows: tuple[tuple[str, str], ...],
) -> None:
    for pattern, _ in rows:
        depth = [pattern[:i].count("(") - pattern[:i].count(")") for i in range(len(pattern))]
        assert not [i for i, sign in enumerate(pattern) if sign == "|" and not depth[i]], pattern


def test_the_names_whose_answers_are_remembered_are_bounded(monkeypatch):
    monkeypatch.setattr("distify.codemods.library.first_row._MOST", 3)
    rows = Rows(((r"a\d$", "a"), (r"b", "b")))
    names = [f"{word}{number}" for number in range(10) for word in "abc"]
    expected = ["a", "b", None] * 10
    assert [rows.first(name) for name in names] == expected
    assert [rows.first(name) for name in names] == expected
    assert len(rows._known) <= 3
