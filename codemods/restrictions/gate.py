"""Why a text is none of distify's business: nothing is tried and nothing is wrong."""

from __future__ import annotations

import ast
from typing import Optional

from ..facts import Facts, Pattern
from . import skip

ALREADY_HOROVOD = "already Horovod"
NO_TRAINING = "no training loop"


@skip
def why_skipped(facts: Facts) -> Optional[str]:
    """The reason to leave the text alone without a finding, None when it is to be migrated."""
    if uses_horovod(facts):
        return ALREADY_HOROVOD
    if facts.pattern is Pattern.UNKNOWN and not facts.training.uncertain:
        return NO_TRAINING
    return None


def uses_horovod(facts: Facts) -> bool:
    """Whether Horovod is imported anywhere, also inside functions and `try`."""
    for node in ast.walk(facts.module):
        if isinstance(node, ast.Import):
            if any(alias.name.split(".")[0] == "horovod" for alias in node.names):
                return True
        elif isinstance(node, ast.ImportFrom) and not node.level:
            if (node.module or "").split(".")[0] == "horovod":
                return True
    return False
