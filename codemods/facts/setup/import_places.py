"""Where Horovod is imported and started in a module (seeds 000 and 001, `trans_A` on imports)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.node_fields import within
from ...program.records import NamedTuple
from ..facts import Facts, recorded
from ..gradients.tape_module import needs_tape_module, needs_tape_module_here
from ..horovod import KERAS, MODULES, TENSORFLOW, module_name
from ..keras_version import is_keras_3
from ..scopes import FunctionNode
from ..training.pattern import Pattern, runs_graph, training_of
from .early import early_place
from .import_order import sorted_place
from .leading import is_import, is_main, is_quiet, sets_environment, work_begins
from .start import is_before_start, started_in, starts

_FRAMEWORKS = ("tensorflow", "keras", "tf_keras")
_IMPORTS = (ast.Import, ast.ImportFrom)


@recorded
def tensorflow_import(facts: Facts) -> ast.stmt | None:
    """The last import of TensorFlow or Keras in the leading imports: Horovod's goes behind it."""
    body = facts.body
    first = next((n for n, s in enumerate(body) if _imports_framework(s)), None)
    if first is None:
        return None
    inside = [s for s in body[first : work_begins(facts, first)] if _imports_framework(s)]
    plain = [s for s in inside if isinstance(s, _IMPORTS)]
    return _last_on_line(body, (plain or inside)[-1])


def anchor(facts: Facts) -> ast.stmt | None:
    """What Horovod's import goes behind.

    Where TensorFlow is left to modules of the project, that is the first import of one, before
    which it goes, or else the last import.
    """
    found = tensorflow_import(facts)
    if found is not None or not facts.is_joined:
        return found
    leading = facts.body[: work_begins(facts, -1)]
    return next(filter(is_own, leading), None) or last_import(facts)


def is_own(statement: ast.stmt) -> bool:
    """Whether it imports a module of the project, which stands in the same program."""
    return isinstance(statement, ast.ImportFrom) and not statement.names


def last_import(facts: Facts) -> ast.stmt | None:
    """The last of the leading imports."""
    leading = facts.body[: work_begins(facts, -1)]
    last = next((s for s in reversed(leading) if isinstance(s, _IMPORTS)), None)
    return None if last is None else _last_on_line(facts.body, last)


class ImportPlace(NamedTuple):
    """The statement beside which an import goes."""

    beside: ast.stmt
    is_before: bool


def horovod_place(facts: Facts) -> ImportPlace | None:
    """Horovod's import goes to its sorted place, among unsorted imports behind TensorFlow's."""
    beside = anchor(facts)
    if beside is None:
        return None
    return _in_time(facts, horovod_beside(facts, beside))


def _in_time(facts: Facts, place: ImportPlace) -> ImportPlace:
    """The place, or that of an early start where this is behind it."""
    early = early_place(facts)
    if early is None or facts.body.index(place.beside) <= facts.body.index(early):
        return place
    return ImportPlace(early, False)


def horovod_beside(facts: Facts, beside: ast.stmt) -> ImportPlace:
    """The same, among the imports around this one."""
    found = sorted_place(facts, "horovod.tensorflow", beside)
    return ImportPlace(*(found or (beside, is_own(beside))))


def own_missing_modules(facts: Facts) -> tuple[str, ...]:
    """Those that the rules name in the file itself, where other modules stand beside it."""
    found = missing_modules(facts)
    is_kerass = KERAS[0] in found and not needs_tape_module_here(facts)
    return tuple(m for m in found if m in KERAS) if is_kerass else found


def missing_modules(facts: Facts) -> tuple[str, ...]:
    """The modules of Horovod that the rules name and the program does not import.

    Keras has a Horovod of its own, which knows no gradient tape.
    """
    if is_keras_3(facts):
        return () if module_name(facts, *TENSORFLOW) else TENSORFLOW[:1]
    tape = TENSORFLOW[:1] if needs_tape_module(facts) else ()
    if module_name(facts, *MODULES) is not None:
        return () if module_name(facts, *TENSORFLOW) else tape
    is_kerass = training_of(facts).pattern is Pattern.KERAS
    return (*tape, KERAS[0]) if is_kerass else TENSORFLOW[:1]


def tensorflow_place(facts: Facts) -> ImportPlace | None:
    """`import tensorflow` for modules that only import Keras goes before that."""
    first = next((s for s in facts.body if _imports_framework(s)), None)
    first = first or (anchor(facts) if facts.is_joined else None)
    names = ("tensorflow", "tensorflow.compat.v1")
    known = names if runs_graph(facts) else names[:1]
    if any(map(facts.names.name_of, known)) or first is None:
        return None
    place = ImportPlace(*(sorted_place(facts, "tensorflow", first) or (first, True)))
    return _in_time(facts, place)


@recorded
def init_place(facts: Facts) -> ast.stmt | None:
    """The top-level statement behind which `hvd.init()` goes: nothing before it uses a device.

    That is the last of the leading imports, or a later setting of the environment.
    """
    if starts(facts):
        return started_in(facts)
    if early_place(facts) is not None:
        return early_place(facts)
    body = facts.body
    beside = anchor(facts)
    if beside is None:
        return None
    position = body.index(beside)
    end = work_begins(facts, position)
    leading = True
    for number in range(position + 1, end):
        statement = body[number]
        leading = leading and (is_import(statement) or is_quiet(facts, statement))
        if (leading and is_import(statement)) or sets_environment(facts, statement):
            position = number
    return _last_on_line(body, body[position])


def runs_before_init(facts: Facts, statement: ast.stmt) -> bool:
    """Whether it stands at module level and may run before `hvd.init()`."""
    if facts.function(statement) is not None:
        return bool(starts(facts)) and is_before_start(facts, statement)
    top = facts.top(statement)
    place = init_place(facts)
    return place is None or facts.block(top)[1] <= facts.block(place)[1]


def _imports_framework(statement: ast.stmt) -> bool:
    """Whether a statement imports TensorFlow or Keras, a fallback in `try` or `if` included."""
    if isinstance(statement, (*FunctionNode, ast.ClassDef)) or is_main(statement):
        return False
    return any(_is_framework_import(node) for node in within(statement))


def _is_framework_import(node: ast.AST) -> bool:
    if isinstance(node, ast.Import):
        return any(alias.name.split(".")[0] in _FRAMEWORKS for alias in node.names)
    if isinstance(node, ast.ImportFrom) and not node.level:
        return (node.module or "").split(".")[0] in _FRAMEWORKS
    return False


def _last_on_line(body: list[ast.stmt], statement: ast.stmt) -> ast.stmt:
    """`import a; import b` stays one line."""
    position = body.index(statement)
    while position + 1 < len(body) and body[position + 1].lineno == body[position].end_lineno:
        position += 1
    return body[position]


def imports_by_call(facts: Facts) -> Iterator[ast.Assign]:
    """Statements of the module like `tf = importlib.import_module("tensorflow")`."""
    for statement in facts.module.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):
            is_named = [type(target) for target in statement.targets] == [ast.Name]
            if is_named and facts.names.imported_by(statement.value) is not None:
                yield statement
