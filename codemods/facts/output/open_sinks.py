"""What stays open while a program runs and is written to again and again: on rank 0 only."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import Enum

from ...library.displays import BARS, MAKES_WRITER, PROGBAR
from ...library.experiments import makes_run, silenced
from ...program.node_fields import within
from ..by_rank import depends_on_rank, is_decided
from ..facts import Facts, recorded
from ..setup.import_places import runs_before_init
from .evaluation import arguments_of
from .output_folders import is_checked_before, makes_folder
from .outputs import is_log, is_plain_open, own_runs, reads_runs
from .rank_zero_guards import Guard, Narrow, is_left_to_rank_zero
from .rank_zero_guards import places as guarded_places
from .side_effects import Effects

# -- kept runs -----------------------------------------------------------------------------------
# Runs that rank 0 alone makes, as nothing but its own output reads them.


def kept_runs(facts: Facts) -> dict[ast.Call, bool]:
    """The calls that make them, and whether a `with` enters what is made."""
    if reads_runs(facts):
        return {}
    found: dict[ast.Call, bool] = {}
    for call in own_runs(facts):
        place, target = _holder(facts, call)
        is_known = place is not None and makes_run(facts.name(call.func) or "")
        if is_known and all(is_left_to_rank_zero(facts, use) for use in _uses(facts, target)):
            found[call] = isinstance(place, ast.withitem)
    return found


def _holder(facts: Facts, call: ast.Call) -> tuple[ast.AST | None, ast.Name | None]:
    """The `with` or the assignment that a run goes to, and the name that it gets there."""
    parent = facts.parent(call)
    if isinstance(parent, ast.withitem):
        target = parent.optional_vars
        if target is None or isinstance(target, ast.Name):
            return parent, target
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1:
        if isinstance(parent.targets[0], ast.Name):
            return parent, parent.targets[0]
    return None, None


def _uses(facts: Facts, target: ast.Name | None) -> Iterator[ast.AST]:
    """Where the name is read; also those of the same name that mean something else."""
    yield from () if target is None else facts.index.loads.get(target.id, ())


# -- sinks ---------------------------------------------------------------------------------------
# What stays open while a program runs and is written to again and again: on rank 0 only.
#
# The others get something in its place that takes the same calls and shows nothing, so that the
# code that writes needs no guards.


class Sink(Enum):
    """Something that is written to, by what the place of the edit is."""

    WRITER = "the call that makes a writer of summaries"
    LOGDIR = "the path of a writer that every worker has to evaluate"
    RUN = "the call that makes a run of an experiment"
    KEPT_RUN = "the call that makes a run which nobody else reads"
    ENTERED_RUN = "the same where `with` enters the run"
    PATH = "the path of a file that is written"
    EVALUATED_PATH = "a path that every worker has to evaluate"
    BAR = "the call that makes a progress bar of tqdm"
    PROGBAR = "the call that makes a progress bar of Keras"
    FOLDERS = "the call that makes folders, which another worker may have made"
    FOLDER = "the call that makes a single folder"


@recorded
def sinks(facts: Facts) -> dict[ast.AST, Sink]:
    """The writers, files, progress bars and new folders to change."""
    found: dict[ast.AST, Sink] = {}
    effects = Effects(facts)
    covered = _covered(facts)
    open_calls = (c for c in facts.index.calls if c not in covered and not _is_early(facts, c))
    calls = [call for call in open_calls if not is_decided(facts, call)]
    for call in calls:
        found.update(_sink(facts, effects, call))
    for call, is_entered in kept_runs(facts).items():
        if call not in covered and not _is_early(facts, call):
            found[call] = Sink.ENTERED_RUN if is_entered else Sink.KEPT_RUN
    return found


def need_null_context(facts: Facts) -> bool:
    """Whether the other workers enter nothing, for which `contextlib` has the name."""
    return Sink.ENTERED_RUN in sinks(facts).values()


def need_null_device(facts: Facts) -> bool:
    """Whether the other workers write a file nowhere, for which `os.devnull` has the name."""
    return any(sink in (Sink.PATH, Sink.EVALUATED_PATH) for sink in sinks(facts).values())


def _sink(facts: Facts, effects: Effects, call: ast.Call) -> dict[ast.AST, Sink]:
    name = facts.name(call.func)
    if name == MAKES_WRITER:
        return _writer(facts, effects, call)
    if name is not None and silenced(name) is not None:
        return {} if _is_silenced(facts, call, name) else {call: Sink.RUN}
    if is_plain_open(facts, call) or is_log(facts, call):
        return _path(facts, effects, call)
    if name in BARS and facts.argument(call, "disable") is None:
        return {call: Sink.BAR}
    if name == PROGBAR and not _is_told(facts, call):
        return {call: Sink.PROGBAR}
    return _new_folder(facts, call)


def _writer(facts: Facts, effects: Effects, call: ast.Call) -> dict[ast.AST, Sink]:
    """Where a path may have an effect, every worker evaluates it first."""
    if effects.skippable_arguments(call):
        return {call: Sink.WRITER}
    path = facts.argument(call, "logdir", 0)
    others = [value for value in arguments_of(call) if value is not path]
    is_first = not hasattr(facts.statement(call), "body")
    if path is None or not is_first or not all(map(effects.skippable, others)):
        return {}
    return {path: Sink.LOGDIR, call: Sink.WRITER}


def _is_silenced(facts: Facts, call: ast.Call, name: str) -> bool:
    """Whether the program asks for the rank itself, or hides what it gives in `**options`."""
    known = silenced(name)
    given = None if known is None else facts.argument(call, known.argument)
    is_own = given is not None and depends_on_rank(facts, given)
    return is_own or any(keyword.arg is None for keyword in call.keywords)


def _is_told(facts: Facts, bar: ast.Call) -> bool:
    verbose = facts.argument(bar, "verbose", 2)
    return verbose is not None and depends_on_rank(facts, verbose)


def _path(facts: Facts, effects: Effects, call: ast.Call) -> dict[ast.AST, Sink]:
    given = (facts.argument(call, name, 0) for name in ("file", "filename", "path"))
    path = next((value for value in given if value is not None), None)
    if path is None or depends_on_rank(facts, path):
        return {}
    if effects.skippable(path):
        return {path: Sink.PATH}
    is_simple = not hasattr(facts.statement(call), "body")
    is_first = facts.parent(call) in _with_items(facts, call)
    return {path: Sink.EVALUATED_PATH} if is_simple or is_first else {}


def _with_items(facts: Facts, node: ast.AST) -> list[ast.withitem]:
    """The items of the `with` that a node stands in, when nothing is evaluated before them."""
    return getattr(facts.statement(node), "items", [])[:1]


def _new_folder(facts: Facts, call: ast.Call) -> dict[ast.AST, Sink]:
    """Behind `if not os.path.exists(path):` another worker may have been faster."""
    name = facts.name(call.func)
    known = makes_folder(facts, call) and (name is None or name.startswith("os."))
    if not known or not is_checked_before(facts, call) or facts.argument(call, "exist_ok", 2):
        return {}
    is_single = name == "os.mkdir"
    if is_single and not isinstance(call.func, ast.Attribute):
        return {}
    return {call: Sink.FOLDER if is_single else Sink.FOLDERS}


def _covered(facts: Facts) -> set[ast.AST]:
    """Everything that rank 0 does alone anyway."""
    found: set[ast.AST] = set()
    for node, place in guarded_places(facts).items():
        if isinstance(place, Guard):
            found.update(within(node))
        elif isinstance(place, Narrow):
            parent = facts.parent(node)
            found.update(n for s in getattr(parent, "body", ()) for n in within(s))
    return found


def _is_early(facts: Facts, node: ast.AST) -> bool:
    return runs_before_init(facts, facts.statement(node))
