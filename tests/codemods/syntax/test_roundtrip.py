"""The standard library of the running Python, byte for byte and node by node."""

from __future__ import annotations

import ast
import sysconfig
import tokenize
import zlib
from functools import cache
from pathlib import Path

import pytest

from distify.codemods.model import SyntaxProblem
from distify.codemods.syntax import LN, Source, parse, resolve

LIBRARY = Path(sysconfig.get_path("stdlib"))
BATCHES = 8
ONE_IN = 50  # of the files; of a fifth of them every position too


def number(path: Path) -> int:
    """The same on every machine, so that the part that is tested is the same too."""
    return zlib.crc32(path.relative_to(LIBRARY).as_posix().encode())


@cache
def library() -> list[Path]:
    return sorted(path for path in LIBRARY.rglob("*.py") if "site-packages" not in path.parts)


def files(batch: int, every: bool) -> list[Path]:
    kept = (path for path in library() if every or number(path) % ONE_IN == 0)
    return [path for path in kept if number(path) // ONE_IN % BATCHES == batch]


def read(path: Path) -> str:
    with tokenize.open(path) as stream:  # reads the coding cookie
        encoding = stream.encoding
    return path.read_bytes().decode("utf-8" if encoding == "utf-8-sig" else encoding)


def source(path: Path) -> Source | None:
    """None for the files that are broken on purpose."""
    try:
        return Source(read(path))
    except (SyntaxProblem, SyntaxError, UnicodeDecodeError):
        return None


@pytest.mark.parametrize(
    "batch", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, BATCHES))]
)
def test_the_standard_library_is_read_byte_for_byte(
    batch: int, request: pytest.FixtureRequest
) -> None:
    every = request.config.getoption("--stdlib")
    for path in files(batch, every):
        found = source(path)
        if found is None:
            continue
        tree = parse(found.text, found.module)
        assert str(tree) == found.text, path
        if number(path) % 5 == 0:
            check_positions(tree, found, path)


def check_positions(tree: LN, source: Source, path: Path) -> None:
    """Every node that has a place is found there, and asking moves no character."""
    nodes = [node for node in ast.walk(source.module) if resolvable(node, source)]
    spans = {node: source.offsets(node) for node in nodes}
    for node, found in resolve(tree, source, nodes).items():
        if isinstance(node, (ast.expr, ast.keyword)) and not isinstance(node, ast.GeneratorExp):
            begin, end = spans[node]
            assert str(found)[len(found.prefix) :] == source.text[begin:end], (path, node.lineno)
    assert str(tree) == source.text, path


def resolvable(node: ast.AST, source: Source) -> bool:
    if not hasattr(node, "lineno") or node in source.in_fstrings:
        return False
    return not (
        isinstance(node, ast.If) and source.text[source.offsets(node)[0] :].startswith("elif")
    )
