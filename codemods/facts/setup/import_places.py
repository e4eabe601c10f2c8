"""Where Horovod is imported and started in a module, and where Keras 2 is chosen."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Union

from ...library.horovod_names import OF_TENSORFLOW
from ...library.tensorflow_names import V1
from ...library.words import words
from ...program.node_fields import children, within
from ...program.parts import FunctionNode
from ...program.records import NamedTuple
from ..facts import Facts, recorded
from ..gradients.tape_module import needs_tape_module, needs_tape_module_here
from ..horovod import KERAS, MODULES, TENSORFLOW, module_name
from ..keras_target import brings_keras_3
from ..keras_version import asks_for_legacy, is_keras_3, roots
from ..training.pattern import Pattern, runs_graph, training_of
from .horovod_start import early_place, is_before_start, started_in, starts
from .pinning import is_pinned_here

# -- import order --------------------------------------------------------------------------------
# Where a new import belongs: at its sorted place among sorted imports (isort, ruff's I001).

_IMPORTS = (ast.Import, ast.ImportFrom)
_Import = Union[ast.Import, ast.ImportFrom]
_Key = tuple[int, str, str]
# Fixed, so that every Python says the same; a group that mixes these with others is not sorted.
STANDARD = words(
    """
    __future__ abc argparse ast asyncio base64 bisect builtins calendar cmath codecs collections
    concurrent configparser contextlib copy csv ctypes dataclasses datetime decimal difflib enum
    errno faulthandler fnmatch fractions functools gc getpass glob gzip hashlib heapq html http
    importlib
    inspect io itertools json logging math multiprocessing numbers operator os pathlib pdb pickle
    pkgutil platform pprint queue random re select shelve shlex shutil signal site socket sqlite3
    ssl stat statistics string struct subprocess sys tarfile tempfile textwrap threading time timeit
    traceback types typing unicodedata unittest urllib uuid warnings weakref xml zipfile zlib
    """
)


def sorted_place(facts: Facts, module: str, beside: ast.stmt) -> tuple[_Import, bool] | None:
    """The import that `import module` goes before (True) or after (False), beside another import.

    None where the imports around are not sorted.
    """
    group = _group(facts, beside)
    keys = [_key(statement) for statement in group]
    if not group or keys != sorted(keys) or any(not _is_alone(s) for s in group):
        return None
    if len({_is_standard(statement) for statement in group} | {module in STANDARD}) > 1:
        return None
    new = (0, module.lower(), module)
    later = next((s for s, key in zip(group, keys) if key > new), None)
    if later is None:
        return group[-1], False
    if not _has_comment(facts, later):
        return later, True
    number = group.index(later)  # its comment stays its own
    return (group[number - 1], False) if number else None


def _has_comment(facts: Facts, statement: ast.stmt) -> bool:
    """Whether a comment stands directly above a statement."""
    above = facts.source.lines[: statement.lineno - 1][-1:]
    return any(line.lstrip().startswith("#") for line in above)


def _group(facts: Facts, statement: ast.stmt) -> list[_Import]:
    """The imports around one without a blank line or another statement between them."""
    body = facts.body
    if not isinstance(statement, _IMPORTS) or statement not in body:
        return []
    first = last = body.index(statement)
    while first > 0 and _touch(facts, body[first - 1], body[first]):
        first -= 1
    while last + 1 < len(body) and _touch(facts, body[last], body[last + 1]):
        last += 1
    return [s for s in body[first : last + 1] if isinstance(s, _IMPORTS)]


def _touch(facts: Facts, upper: ast.stmt, lower: ast.stmt) -> bool:
    if not isinstance(upper, _IMPORTS) or not isinstance(lower, _IMPORTS):
        return False
    end = upper.end_lineno or upper.lineno
    return end < lower.lineno and all(
        line.strip() for line in facts.source.lines[end : lower.lineno - 1]
    )


def _key(statement: _Import) -> _Key:
    """`import …` comes before `from … import …`, each by its module."""
    name = _module(statement)
    return (int(isinstance(statement, ast.ImportFrom)), name.lower(), name)


def _module(statement: _Import) -> str:
    if isinstance(statement, ast.Import):
        return statement.names[0].name
    return "." * statement.level + (statement.module or "")


def _is_alone(statement: _Import) -> bool:
    """One module in one statement: isort writes `import a, b` as two."""
    return isinstance(statement, ast.ImportFrom) or len(statement.names) == 1


def _is_standard(statement: _Import) -> bool:
    return _module(statement).split(".")[0] in STANDARD


# -- leading imports -----------------------------------------------------------------------------
# What may stand among the leading imports of a module, and where its work begins.

# Calls between imports that start nothing: seeds, warnings, loggers, backends of plots.
_HARMLESS = (
    "builtins. sys. os. warnings. logging. absl.logging. random. numpy. matplotlib. gc. re. "
    "pathlib. tensorflow.get_logger tensorflow.autograph.set_verbosity tensorflow.logging. "
    "tensorflow.compat.v1.logging."
)
_QUIET = tuple(_HARMLESS.split())


def work_begins(facts: Facts, start: int) -> int:
    """The first statement behind `start` that defines, uses TensorFlow or runs unknown blocks."""
    body = facts.body
    for number in range(start + 1, len(body)):
        if _is_work(facts, body[number]):
            return number
    return len(body)


def _is_work(facts: Facts, statement: ast.stmt) -> bool:
    if isinstance(statement, (*FunctionNode, ast.ClassDef)):
        return True
    if hasattr(statement, "body"):
        return not is_import(statement)
    return any(_uses_tensorflow(facts, call) for call in _calls(statement))


def _uses_tensorflow(facts: Facts, call: ast.Call) -> bool:
    name = facts.name(call.func)
    if name is None:  # a function of this module may do anything
        return facts.callee(call) is not None
    return name.startswith("tensorflow") and not name.startswith(_QUIET)


def is_import(statement: ast.stmt) -> bool:
    """An import, or a `try`, `if` or `with` around imports and settings, as fallbacks need them."""
    if isinstance(statement, _IMPORTS):
        return True
    inner = [node for node in within(statement) if isinstance(node, ast.stmt)]
    if isinstance(statement, (ast.Try, ast.If, ast.With)) and not is_main(statement):
        simple = (*_IMPORTS, ast.Try, ast.If, ast.With, ast.Assign, ast.Pass, ast.Raise, ast.Expr)
        calls = [node for node in within(statement) if isinstance(node, ast.Call)]
        is_simple = all(isinstance(node, simple) for node in inner) and len(calls) <= len(inner)
        return is_simple and any(isinstance(node, _IMPORTS) for node in inner)
    return False


def is_main(statement: ast.stmt) -> bool:
    """Whether it asks for `__name__`, as `if __name__ == "__main__":` does."""
    test = getattr(statement, "test", None)
    return test is not None and any(getattr(n, "id", "") == "__name__" for n in within(test))


def is_quiet(facts: Facts, statement: ast.stmt) -> bool:
    """A setting that may stand between imports."""
    if hasattr(statement, "body"):
        return False
    return all(_is_chained(call) or _is_harmless(facts, call) for call in _calls(statement))


def _is_harmless(facts: Facts, call: ast.Call) -> bool:
    name = facts.name(call.func) or ""
    return name.startswith(_QUIET) and name != "builtins.print"  # one line a worker


def _is_chained(call: ast.Call) -> bool:
    """`tf.get_logger().setLevel(…)`: the call that it is made on decides."""
    return isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Call)


def sets_environment(facts: Facts, statement: ast.stmt) -> bool:
    """An environment variable that has to be set before the devices are looked at."""
    if hasattr(statement, "body") or is_pinned_here(facts, statement):
        return False
    return any(
        (facts.name(node) or "").startswith(("os.environ", "os.putenv"))
        for node in _stored(statement)
    )


def _stored(statement: ast.stmt) -> Iterator[ast.AST]:
    """What a statement assigns into, and the functions it calls for their effect."""
    if isinstance(statement, ast.Assign):
        yield from (t.value for t in statement.targets if isinstance(t, ast.Subscript))
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        yield statement.value.func


def _calls(statement: ast.stmt) -> Iterator[ast.Call]:
    """The calls that run with a simple statement; the bodies of lambdas do not."""
    stack: list[ast.AST] = [statement]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Call):
            yield node
        if not isinstance(node, ast.Lambda):
            stack.extend(children(node))


# -- import places -------------------------------------------------------------------------------
# Where Horovod is imported and started in a module (seeds 000 and 001, `trans_A` on imports).

_FRAMEWORKS = ("tensorflow", "keras", "tf_keras")


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
    found = sorted_place(facts, OF_TENSORFLOW, beside)
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
    names = ("tensorflow", V1)
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


# -- legacy keras --------------------------------------------------------------------------------
# Keras 2 for TensorFlow 2.16 and later, which bring Keras 3 (rules.md, Versions).


def is_needed(facts: Facts) -> bool:
    """Whether the program has to ask for Keras 2, where `tf.keras` would be Keras 3."""
    return brings_keras_3(facts.options) and not is_keras_3(facts)


class LegacyKeras(NamedTuple):
    """Where Keras 2 is asked for: before the first import of anything but the standard library."""

    place: ast.stmt
    os: str  # the name that the os module has there already, empty if it has none
    is_taken: bool  # whether the module means something else by `os`
    later: tuple[ast.Import, ...]  # imports of `os` below, which move up


def legacy_keras(facts: Facts) -> LegacyKeras | None:
    """The setting that the program lacks; None if it needs none."""
    place = next((s for s in facts.body if _imports_others(s)), None)
    if not is_needed(facts) or place is None or asks_for_legacy(facts):
        return None
    name, is_taken = _os_before(facts, place), _is_taken(facts)
    later = () if name or is_taken else tuple(_imports_of_os(facts, place))
    return LegacyKeras(place, name, is_taken, later)


def _imports_of_os(facts: Facts, first: ast.stmt) -> Iterator[ast.Import]:
    """Those behind `first`, and beside which no other rule puts lines."""
    horovod = horovod_place(facts) if missing_modules(facts) else None
    beside = {place.beside for place in (horovod, tensorflow_place(facts)) if place is not None}
    kept = {first, init_place(facts), *beside}
    for statement in facts.body:
        if isinstance(statement, ast.Import) and "os" in _bound(statement):
            if statement not in kept:
                yield statement


def _bound(statement: ast.Import) -> set[str]:
    return {alias.asname or alias.name for alias in statement.names}


def direct_keras(facts: Facts) -> list[_Import]:
    """Imports of `keras` itself, which no setting turns into Keras 2."""
    return [
        node
        for node in within(facts.module)
        if isinstance(node, (ast.Import, ast.ImportFrom)) and "keras" in roots(node)
    ]


def _imports_others(statement: ast.stmt) -> bool:
    nodes = [n for n in within(statement) if isinstance(n, (ast.Import, ast.ImportFrom))]
    return any(roots(node) - STANDARD or getattr(node, "level", 0) for node in nodes)


def _os_before(facts: Facts, place: ast.stmt) -> str:
    """The name of the os module where it is imported before `place`."""
    for statement in facts.body[: facts.body.index(place)]:
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                if alias.name == "os":
                    return alias.asname or "os"
    return ""


def _is_taken(facts: Facts) -> bool:
    """Whether the module means something else by `os`."""
    return "os" in facts.index.names and facts.names.imports().get("os") != "os"
