"""What is no notebook of Python's is named and left; nothing of it is ever run or guessed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from distify.assistant.files import source

from .books import FIT, book, code, data, looked_at, training, words

TEXT = "import tensorflow as tf\nmodel.fit(x)"
OTHERS = {
    "no JSON": (b"{tensorflow .fit(", "is no JSON"),
    "cut": (data(training())[:-40], "is no JSON"),
    "empty list": (b'["tensorflow", "model.fit("]', "is no notebook"),
    "a number": (b'3 \n"tensorflow .fit("', "is no JSON"),
    "no cells": (data({"a": TEXT}), "is no notebook: it holds no cells"),
    "format 3": (data({"nbformat": 3, "worksheets": [TEXT]}), "is a notebook of format 3"),
    "format 5": (data(training(nbformat=5)), "is a notebook of format 5"),
    "cells no list": (data({"nbformat": 4, "cells": TEXT}), "its `cells` are no list"),
    "cell no object": (data(book(TEXT, cells=[TEXT])), "its cell 1 says no `cell_type`"),
    "source a number": (data(book(TEXT, {**code(""), "source": 3})), "has a cell 2 whose"),
    "source of numbers": (data(book(TEXT, {**code(""), "source": ["a", 3]})), "has a cell 2"),
    "source null": (data(book(TEXT, {**code(""), "source": None})), "has a cell 2 whose"),
    "no source": (data(book(TEXT, {"cell_type": "code"})), "a code cell has no `source`"),
    "latin-1": (data(training("é = 1")).decode().encode("latin-1"), "is no UTF-8"),
    "deep": (b'{"cells": ' + b"[" * 200_000 + b'"tensorflow .fit("', "nested too deeply"),
    "half a pair": (data(training("a = '\ud800'"), ensure_ascii=True), "can't be parsed"),
    "two sources": (
        data(training()).replace(b'"source"', b'"source": [], "source"'),
        "says `source` twice",
    ),
}


@pytest.mark.parametrize("name", OTHERS)
def test_it_is_named_and_left(name: str) -> None:
    content, said = OTHERS[name]
    outcome = looked_at(content)
    assert outcome.problem is not None
    assert said in outcome.problem.message
    assert outcome.after is None


@pytest.mark.parametrize(
    "metadata",
    [{"language_info": {"name": "R"}}, {"kernelspec": {"language": "julia", "name": "julia-1"}}],
)
def test_a_kernel_of_another_language_is_left(metadata: Any) -> None:
    outcome = looked_at(data(training(metadata=metadata)))
    assert outcome.problem is None
    assert outcome.after is None
    assert outcome.skipped.startswith("a notebook of ")


@pytest.mark.parametrize("metadata", [{}, [], None, {"kernelspec": 3, "language_info": []}])
def test_one_that_says_nothing_of_its_kernel_is_pythons(metadata: Any) -> None:
    assert looked_at(data(training(metadata=metadata))).changed


def test_one_without_training_is_not_even_parsed() -> None:
    """A hook gets every notebook of a project: it says nothing of those."""
    for content in (b"{", b"\xff", data(book("%%R\nx <- 1"))):
        outcome = looked_at(content)
        assert outcome.problem is None
        assert outcome.skipped == "no training loop"


def test_words_and_outputs_are_no_code() -> None:
    """Python that can't be parsed doesn't matter where only the words speak of training."""
    output = {"name": "stdout", "output_type": "stream", "text": [TEXT]}
    content = book(words(TEXT), code("x = = 1", outputs=[output]), {**words(""), "source": TEXT})
    outcome = looked_at(data(content))
    assert outcome.problem is None
    assert outcome.skipped == "no training loop"


def test_a_raw_cell_is_no_code() -> None:
    raw = {"cell_type": "raw", "metadata": {}, "source": "x = = 1"}
    before = training()
    before["cells"].append(raw)
    after = json.loads(looked_at(data(before)).after or b"")
    assert after["cells"][-1] == raw


def test_a_huge_one_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "LARGEST_NOTEBOOK", 3_000_000)
    picture = {"data": {"image/png": "A" * 3_000_000}, "output_type": "display_data"}
    content = training()
    content["cells"].append(code("", outputs=[picture]))
    outcome = looked_at(data(content))
    assert outcome.problem is not None
    assert outcome.problem.message == "is a notebook of more than 3 MB: clear its outputs"


def test_a_cell_that_is_no_python_is_named_with_its_line() -> None:
    outcome = looked_at(data(training("a = 1", "b = 1\nc = = 2")))
    assert outcome.problem is not None
    assert outcome.problem[2:] == (2, 5, 3)


def test_what_python_can_parse_and_not_run_is_named_with_its_line() -> None:
    outcome = looked_at(data(training("a = 1", "\nreturn 3")))
    assert outcome.problem is not None
    assert (outcome.problem.cell, outcome.problem.line) == (3, 2)


def test_a_name_ends_with_the_suffix() -> None:
    """A script is one whatever it holds."""
    assert looked_at(f"import tensorflow as tf\nprint('{FIT}')\n".encode(), "a.py").problem is None
