"""How the other workers get a silent stand-in for what rank 0 keeps open."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ..edits import At, Choose, Dissolve, Edit, Hoist, Rename, SetArgument, WrapArgument
from ..facts.output.open_sinks import Sink
from ..facts.output.output_folders import lone_test
from ..library.experiments import silenced
from ..library.tensorflow_names import SILENT_WRITER as SILENT_WRITER
from ._new_code import contextlib, fresh, hvd, os, spell

if TYPE_CHECKING:
    from ..facts import Facts


def edits(facts: Facts, node: ast.AST, sink: Sink) -> Iterator[Edit]:
    """What is written where something is made, so that the other workers have a silent one."""
    test = f"{hvd(facts)}.rank() == 0"
    if sink in (Sink.RUN, Sink.KEPT_RUN, Sink.ENTERED_RUN):
        yield _run(facts, node, sink)
    elif sink is Sink.WRITER:
        yield Choose(f"_ if {test} else {spell(facts, SILENT_WRITER)}()")
    elif sink is Sink.LOGDIR:
        yield Hoist(fresh(facts, "logdir"))
    elif sink is Sink.PATH:
        yield Choose(f"_ if {test} else {os(facts)}.devnull")
    elif sink is Sink.EVALUATED_PATH:
        path = fresh(facts, "path")
        yield Hoist(path, template=f"_ if {test} else {os(facts)}.devnull")
    elif sink is Sink.BAR:
        yield SetArgument("disable", f"{hvd(facts)}.rank() != 0")
    elif sink is Sink.PROGBAR:
        yield WrapArgument("verbose", f"_ if {test} else 0", 2, "1")
    elif sink in (Sink.FOLDER, Sink.FOLDERS):
        yield SetArgument("exist_ok", "True")
        if sink is Sink.FOLDER:
            yield Rename("makedirs")


def without_tests(facts: Facts, sinks: Mapping[ast.AST, Sink]) -> Iterator[At]:
    """`if not os.path.exists(path):` goes where all that it does is to make the folder."""
    for call, sink in sinks.items():
        made = isinstance(call, ast.Call) and sink in (Sink.FOLDER, Sink.FOLDERS)
        choice = lone_test(facts, call) if made else None  # type: ignore[arg-type]
        if choice is not None:
            yield At(choice, Dissolve())


def _run(facts: Facts, call: ast.AST, sink: Sink) -> Edit:
    """What the program reads of its run stays alive on all workers: `wandb.config`."""
    assert isinstance(call, ast.Call)
    test = f"{hvd(facts)}.rank() == 0"
    if sink is not Sink.RUN:
        nothing = f"{contextlib(facts)}.nullcontext()" if sink is Sink.ENTERED_RUN else "None"
        return Choose(f"_ if {test} else {nothing}")
    known = silenced(facts.name(call.func) or "")
    assert known is not None
    return WrapArgument(known.argument, f"_ if {test} else {known.silent}", 99, known.loud)
