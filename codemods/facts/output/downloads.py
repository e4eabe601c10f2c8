"""Downloads, and archives that are unpacked, which every worker of a machine would do at once."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library import downloads as library
from ...library.shell import HOLE, NOTEBOOK, only_looks, runs_line
from ..by_rank import depends_on_rank, is_decided
from ..facts import Facts, recorded
from .evaluation import arguments_of
from .folders import is_temporary
from .guards import is_left_to_rank_zero


@recorded
def downloads(facts: Facts) -> dict[ast.Call, bool]:
    """The calls, and whether one finds what another has downloaded."""
    found = {call: kind for call in facts.index.calls if (kind := _kind(facts, call)) is not None}
    return {
        call: kind in (library.KEPT, library.WEIGHTS)
        for call, kind in found.items()
        if not (is_decided(facts, call) or _is_own(facts, call))
        and not is_left_to_rank_zero(facts, call)
    }


def extracts(facts: Facts, call: ast.Call) -> bool:
    """Whether a call may write what it has downloaded to files, each time anew."""
    name, argument, position = library.EXTRACTS
    if facts.name(call.func) != name:
        return False
    told = facts.argument(call, argument, position)
    is_told_not_to = isinstance(told, ast.Constant) and not told.value
    return not is_told_not_to if told is not None else facts.has_hidden_arguments(call)


def unpacks(facts: Facts, call: ast.Call) -> bool:
    """Whether such a call unpacks what is there, and downloads nothing."""
    name = facts.name(call.func)
    if name is None:
        if is_command(facts, call):
            return _only_unpacks(call)
        is_all = isinstance(call.func, ast.Attribute) and call.func.attr == library.UNPACKS
        return is_all or _unpacks_one(facts, call)
    if library.download(name) == library.COMMAND:
        return _only_unpacks(call)
    return name == library.UNPACK_ARCHIVE


def _kind(facts: Facts, call: ast.Call) -> str | None:
    """How a call downloads; a model with weights of its own, or none, does not."""
    name = facts.name(call.func)
    if name is None:
        method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        kinds = {library.BUILDS: library.KEPT, library.UNPACKS: library.ANEW}
        if facts.callee(call) is not None:
            return None
        if is_notebook_command(facts, call):
            return None if only_looks(_command(facts, call)) else library.COMMAND
        return library.ANEW if _unpacks_one(facts, call) else kinds.get(method)
    kind = library.download(name)
    if kind == library.WEIGHTS and not _fetches_weights(facts, call, name):
        return None
    if kind == library.COMMAND and only_looks(_command(facts, call)):
        return None
    return None if kind is not None and _is_told_not_to(facts, call, name) else kind


def _only_unpacks(call: ast.Call) -> bool:
    text = ast.unparse(call)
    return library.is_unpacking_command(text) and not library.is_download_command(text)


def _unpacks_one(facts: Facts, call: ast.Call) -> bool:
    """`archive.extract(name, folder)`."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr != library.UNPACKS_ONE:
        return False
    made = (n for n in facts.origins(call.func.value).nodes if isinstance(n, ast.Call))
    return any(facts.name(each.func) in library.ARCHIVES for each in made)


def is_command(facts: Facts, call: ast.Call) -> bool:
    """Whether it runs a command line."""
    name = facts.name(call.func)
    if name is None:
        return is_notebook_command(facts, call)
    return library.download(name) == library.COMMAND


def is_notebook_command(facts: Facts, call: ast.Call) -> bool:
    """Whether it stands for a line of a notebook that a shell runs."""
    made = call.func.value if isinstance(call.func, ast.Attribute) else None
    name = made.func if isinstance(made, ast.Call) else None
    if not (isinstance(name, ast.Name) and name.id == NOTEBOOK):
        return False
    return runs_line(call.func.attr)  # type: ignore[attr-defined]


def is_plain_command(facts: Facts, call: ast.Call) -> bool:
    """Whether a command line gets nothing that each machine has to have for itself."""
    return is_command(facts, call) and not library.is_for_machine(ast.unparse(call))


def is_fetching(facts: Facts, call: ast.Call) -> bool:
    """Whether it downloads or unpacks: of what else command lines do, the judge speaks."""
    text = ast.unparse(call)
    is_known = library.is_download_command(text) or library.is_unpacking_command(text)
    return is_known or not is_command(facts, call)


def _command(facts: Facts, call: ast.Call) -> str:
    """The text of a command line, with a mark for what isn't spelled out."""
    given = next((facts.argument(call, n, 0) for n in ("args", "command", "cmd")), None)
    parts = given.elts if isinstance(given, (ast.List, ast.Tuple)) else [given]
    texts = [_text(facts, part) for part in parts if part is not None]
    return " ".join(texts) or HOLE


def _text(facts: Facts, expr: ast.expr) -> str:
    found = facts.origins(expr).nodes
    made = found[0] if len(found) == 1 else expr
    pieces = made.values if isinstance(made, ast.JoinedStr) else [made]
    texts = [p.value if isinstance(p, ast.Constant) else HOLE for p in pieces]
    return "".join(map(str, texts))


def _fetches_weights(facts: Facts, call: ast.Call, name: str) -> bool:
    """Whether `weights` are left out, or may name those that Keras offers."""
    given = facts.argument(call, "weights", library.weights_at(name))
    return given is None or not (isinstance(given, ast.Constant) and given.value != "imagenet")


def _is_told_not_to(facts: Facts, call: ast.Call, name: str) -> bool:
    """`tfds.load(…, download=False)`, and what gets a temporary file for want of a name."""
    told = facts.argument(call, "download", None)
    if isinstance(told, ast.Constant) and told.value is False:
        return True
    target = library.TARGETS.get(name.rpartition(".")[2])
    return target is not None and facts.argument(call, *target) is None


def _is_own(facts: Facts, call: ast.Call) -> bool:
    """Whether the worker's number, or a temporary folder, makes the place its own."""
    return any(
        depends_on_rank(facts, given) or is_temporary(facts, given) for given in _given(call)
    )


def _given(call: ast.Call) -> Iterator[ast.expr]:
    yield from arguments_of(call)
    if isinstance(call.func, ast.Attribute):
        yield call.func.value
