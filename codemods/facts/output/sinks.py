"""What stays open while a program runs and is written to again and again: on rank 0 only.

The others get something in its place that takes the same calls and shows nothing, so that the code
that writes needs no guards.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from ..by_rank import depends_on_rank, is_decided
from ..facts import Facts, recorded
from ..setup.import_order import STANDARD, sorted_place
from ..setup.setup import Lines, inserted_before, runs_before_init
from .effects import Effects
from .folders import is_checked_before, is_path
from .guards import Guard, Narrow
from .guards import places as guarded_places
from .opened_files import is_plain_open

_BARS = frozenset(
    f"{module}.{name}"
    for module in ("tqdm", "tqdm.auto", "tqdm.autonotebook", "tqdm.notebook", "tqdm.std")
    for name in ("tqdm", "trange", "tqdm_notebook", "tnrange")
)
_WRITER = "tensorflow.summary.create_file_writer"
_PROGBAR = "tensorflow.keras.utils.Progbar"


class Instead(NamedTuple):
    """An expression and what stands for it on the other workers, as a template around it."""

    template: str
    first: str = ""  # the name under which every worker evaluates it before


class Argument(NamedTuple):
    """A call that is told by an argument."""

    name: str
    code: str
    position: int = -1
    called: str = ""  # the function to call from now on


@recorded
def sinks(facts: Facts) -> dict[ast.AST, Instead | Argument | Lines]:
    """The writers, files, progress bars and new folders to change."""
    found: dict[ast.AST, Instead | Argument | Lines] = {}
    effects = Effects(facts)
    covered = _covered(facts)
    open_calls = (c for c in facts.index.calls if c not in covered and not _is_early(facts, c))
    calls = [call for call in open_calls if not is_decided(facts, call)]
    for call in calls:
        found.update(_sink(facts, effects, call))
    if any(isinstance(p, Instead) and ".devnull" in p.template for p in found.values()):
        found.update(_import_of_os(facts))
    return found


def _sink(facts: Facts, effects: Effects, call: ast.Call) -> dict[ast.AST, Instead | Argument]:
    test, name = f"{facts.hvd}.rank() == 0", facts.name(call.func)
    if name == _WRITER and effects.skippable_arguments(call):
        other = facts.spell("tensorflow.summary.create_noop_writer")
        return {call: Instead(f"_ if {test} else {other}()")}
    if is_plain_open(facts, call):
        return _null_device(facts, effects, call, test)
    if name in _BARS and facts.argument(call, "disable") is None:
        return {call: Argument("disable", f"{facts.hvd}.rank() != 0")}
    if name == _PROGBAR and not _is_told(facts, call):
        return {call: Argument("verbose", f"_ if {test} else 0", 2)}
    return _new_folder(facts, call)


def _is_told(facts: Facts, bar: ast.Call) -> bool:
    verbose = facts.argument(bar, "verbose", 2)
    return verbose is not None and depends_on_rank(facts, verbose)


def _null_device(
    facts: Facts, effects: Effects, call: ast.Call, test: str
) -> dict[ast.AST, Instead | Argument]:
    given = (facts.argument(call, name, 0) for name in ("file", "filename", "path"))
    path = next((value for value in given if value is not None), None)
    if path is None or depends_on_rank(facts, path):
        return {}
    template = f"_ if {test} else {_os(facts)}.devnull"
    if effects.skippable(path):
        return {path: Instead(template)}
    is_simple = not hasattr(facts.statement(call), "body") or facts.parent(call) in _with_items(
        facts, call
    )
    return {path: Instead(template, facts.fresh("path"))} if is_simple else {}


def _with_items(facts: Facts, node: ast.AST) -> list[ast.withitem]:
    """The items of the `with` that a node stands in, when nothing is evaluated before them."""
    return getattr(facts.statement(node), "items", [])[:1]


def _new_folder(facts: Facts, call: ast.Call) -> dict[ast.AST, Instead | Argument]:
    """Behind `if not os.path.exists(path):` another worker may have been faster."""
    name = facts.name(call.func)
    known = name in ("os.makedirs", "os.mkdir") or (name is None and _is_mkdir(facts, call))
    if not known or not is_checked_before(facts, call) or facts.argument(call, "exist_ok", 2):
        return {}
    is_single = name == "os.mkdir"
    if is_single and not isinstance(call.func, ast.Attribute):
        return {}
    return {call: Argument("exist_ok", "True", called="makedirs" if is_single else "")}


def _is_mkdir(facts: Facts, call: ast.Call) -> bool:
    func = call.func
    return isinstance(func, ast.Attribute) and func.attr == "mkdir" and is_path(facts, func.value)


def _covered(facts: Facts) -> set[ast.AST]:
    """Everything that rank 0 does alone anyway."""
    found: set[ast.AST] = set()
    for node, place in guarded_places(facts).items():
        if isinstance(place, Guard):
            found.update(ast.walk(node))
        elif isinstance(place, Narrow):
            parent = facts.parent(node)
            found.update(n for s in getattr(parent, "body", ()) for n in ast.walk(s))
    return found


def _is_early(facts: Facts, node: ast.AST) -> bool:
    return runs_before_init(facts, facts.statement(node))


# -- the name of the null device ---------------------------------------------------------------


def _os(facts: Facts) -> str:
    names = (n for n, full in facts.names.imports().items() if full == "os")
    return next(names, None) or facts.fresh("os")


def needs_os(facts: Facts) -> bool:
    """Whether the null device will be named through an import of `os` that the module has."""
    places = sinks(facts).values()
    return any(isinstance(p, Instead) and ".devnull" in p.template for p in places)


def _import_of_os(facts: Facts) -> dict[ast.AST, Lines]:
    """`import os` at its sorted place among imports of the standard library, else above all."""
    if "os" in facts.names.imports().values():
        return {}
    line = "import os\n" if _os(facts) == "os" else f"import os as {_os(facts)}\n"
    imports = list(_leading_imports(facts))
    beside = next((s for s in imports if _root(s) in STANDARD), None)
    if beside is None:
        first = imports[0]
        return {first: Lines(before=line + "\n", distance=inserted_before(facts, first))}
    place, is_before = sorted_place(facts, "os", beside) or (beside, True)
    return {place: Lines(before=line) if is_before else Lines(after=line)}


def _leading_imports(facts: Facts) -> Iterator[ast.Import | ast.ImportFrom]:
    for statement in facts.module.body:
        if isinstance(statement, (ast.Import, ast.ImportFrom)) and _root(statement) != "__future__":
            yield statement


def _root(statement: ast.Import | ast.ImportFrom) -> str:
    if isinstance(statement, ast.Import):
        return statement.names[0].name.split(".")[0]
    return "." if statement.level else (statement.module or "").split(".")[0]
