"""What `make bench-house` counts, on houses of a few lines."""

from __future__ import annotations

import ast

import pytest
from bench.house import Figure, House, Module, circles, complexity, is_participle, modules
from bench.unknown_apis import SUBJECTS, unknown


def house(**texts: str) -> House:
    """A house of modules below `codemods`, `library` one of them."""
    every = {}
    for base, text in {"": "", "library": "", **texts}.items():
        name = f"codemods.{base.replace('__', '.')}".rstrip(".")
        every[name] = Module(name, base in ("", "library"), text, ast.parse(text))
    return House(every)


def test_modules_that_import_one_another_for_types_alone_are_a_circle() -> None:
    found = house(
        a="from .b import one",
        b="from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from . import a",
        c="from .a import two\ndef later():\n    import distify.codemods.b",
    )
    assert found.circles == [["codemods.a", "codemods.b"]]
    assert found.with_one_importer == []


def test_a_chain_is_no_circle_and_its_links_have_one_importer() -> None:
    found = house(a="from .b import one", b="from .c import one", c="")
    assert found.circles == []
    assert found.with_one_importer == ["codemods.b", "codemods.c"]
    assert circles({"x": frozenset("y"), "y": frozenset("y")}) == [["y"]]


def test_an_underscore_makes_no_other_base_name() -> None:
    assert house(edits="", facts___edits="", hints="").base_names_twice == ["codemods: edits"]


@pytest.mark.parametrize("name", ["told", "_made", "__given", "seeded"])
def test_bare_participles(name: str) -> None:
    assert is_participle(name)


@pytest.mark.parametrize("name", ["seed", "is_told", "told_apart", "speed", "run", "makes", "Read"])
def test_no_bare_participles(name: str) -> None:
    assert not is_participle(name)


def test_a_function_inside_of_another_counts_for_itself() -> None:
    inner = "    def g():\n        return a if b else 0\n"
    text = f"def f(a, b):\n{inner}    return a and b or [x for x in a if x]"
    assert complexity(ast.parse(text).body[0]) == 1 + 1 + 1 + 2


def test_names_of_apis_are_counted_where_a_program_uses_them_and_not_in_the_library() -> None:
    found = house(
        library__rows="ROWS = ('keras.callbacks.EarlyStopping FileNotFoundError',)",
        a='"""numpy.savez"""\nNAMES = ("numpy.savez", "EarlyStopping", "an EarlyStopping stops")',
        b='P = r"keras\\.layers\\.\\w+"\nprint("numpy", "data.shape", "steps: too many")',
        c='ROWS = "os.path: join"\nraise OSError("FileNotFoundError")',
    )
    assert found.api_names == [
        "codemods.a: numpy.savez",
        "codemods.a: EarlyStopping",
        r"codemods.b: keras\.layers\.\w+",
        "codemods.c: os.path.join",
    ]


def test_a_figure_without_a_bar_is_kept() -> None:
    assert Figure("lines", 9).is_kept
    assert Figure("circles", 0, 0).is_kept
    assert not Figure("circles", 1, 0).is_kept


def test_names_that_no_row_knows_are_named_and_those_that_need_none_are_not() -> None:
    (subject,) = (s for s in SUBJECTS if s.module == "tensorflow.keras.callbacks")
    assert [*unknown(subject, ["EarlyStopping", "Fresh", "experimental"])] == [
        "tensorflow.keras.callbacks.Fresh"
    ]
    (subject,) = (s for s in SUBJECTS if s.module == "pandas.DataFrame")
    assert [*unknown(subject, ["to_orc", "to_numpy", "to_anything", "merge"])] == [
        "pandas.DataFrame.to_anything"
    ]


# What is there, and may only become less: the bars of `make bench-house` are below most of it.
MOST = {"circles": 0, "base_names_twice": 5, "api_names": 0}


@pytest.mark.slow
@pytest.mark.parametrize("name", MOST)
def test_the_house_is_no_less_tidy_than_it_was(name: str) -> None:
    assert len(getattr(House(modules()), name)) <= MOST[name]
