"""Why a text is none of distify's business: nothing is tried and nothing is wrong."""

from __future__ import annotations

import ast

from ..facts import Facts, Pattern
from ..model import NO_TRAINING
from .g03_applied_by_hand import changes

ALREADY_HOROVOD = "already Horovod"


def why_skipped(facts: Facts) -> str | None:
    """The reason to leave the text alone without a finding, None when it is to be migrated."""
    if uses_horovod(facts):
        return ALREADY_HOROVOD
    if facts.pattern is Pattern.UNKNOWN and not facts.training.uncertain:
        return None if any(True for _ in changes(facts)) else NO_TRAINING
    return None


def uses_horovod(facts: Facts) -> bool:
    """Whether Horovod is imported anywhere, also inside functions and `try`."""
    return any(map(_is_horovod, facts.index.imports))


def _is_horovod(node: ast.Import | ast.ImportFrom) -> bool:
    if isinstance(node, ast.Import):
        return any(alias.name.split(".")[0] == "horovod" for alias in node.names)
    return not node.level and (node.module or "").split(".")[0] == "horovod"
