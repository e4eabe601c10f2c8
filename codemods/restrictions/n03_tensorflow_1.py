"""What distify writes runs on TensorFlow 2; a project that asks for TensorFlow 1 can't run it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..model import Finding
from . import restriction
from ._finding import finding

OLDEST = (2, 0)
FRAMEWORKS = ("tensorflow", "keras", "tf_keras")


@restriction(code="N03", name="tensorflow-1")
def tensorflow_1(facts: Facts) -> Iterator[Finding]:
    """The first import of TensorFlow where the version to write for is older than 2.0."""
    if facts.options.tensorflow >= OLDEST:
        return
    first = next(filter(_is_framework, facts.index.imports), facts.module.body[0])
    yield finding(
        facts,
        first,
        "N03",
        "the project asks for TensorFlow 1, and what distify writes runs on TensorFlow 2 only",
        'require tensorflow>=2, or say tensorflow = "2.15" under [tool.distify] in pyproject.toml',
    )


def _is_framework(node: ast.Import | ast.ImportFrom) -> bool:
    named = (
        [node.module or ""] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
    )
    return any(name.partition(".")[0] in FRAMEWORKS for name in named)
