"""Files that rank 0 removes while the others are going through the same folder.

A faster rank 0 has removed what another worker is about to open: an error there, at the first run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..facts.output.file_accesses import is_reader, may_read
from ..facts.output.rank_zero_guards import is_left_to_rank_zero
from ..library.tensorflow_names import REMOVE_FILE
from ..model import Finding
from ..program.node_fields import within
from . import restriction
from ._finding import WRITERS, note

REMOVES = ("os.remove", "os.unlink", "shutil.rmtree", REMOVE_FILE)
MESSAGE = "rank 0 removes files here that another worker may be about to open"
FIX = "clean the folder before the training, in a script of its own"


@restriction(code="D203", name="removed-meanwhile")
def removed_meanwhile(facts: Facts) -> Iterator[Finding]:
    """Notes: what is removed in a loop in which every worker reads it first."""
    for call in facts.calls_of(*REMOVES) if not facts.has_horovod else ():
        loop = next((p for p in facts.parents(call) if isinstance(p, ast.For)), None)
        if loop is None or not call.args or not is_left_to_rank_zero(facts, call):
            continue
        path = ast.dump(call.args[0])
        calls = (node for node in within(loop) if isinstance(node, ast.Call) and node is not call)
        if any(_reads(facts, each, path) for each in calls):
            yield note(facts, call, "D203", MESSAGE, FIX, kind=WRITERS)


def _reads(facts: Facts, call: ast.Call, path: str) -> bool:
    """Whether every worker reads what is at that path."""
    is_given = any(ast.dump(given) == path for given in call.args)
    is_read = is_given and (is_reader(facts, call) or may_read(facts, call))
    return is_read and not is_left_to_rank_zero(facts, call)
