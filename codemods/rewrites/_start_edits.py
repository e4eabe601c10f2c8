"""The start of Horovod, with the device of each process, and what goes directly behind it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ..edits import Insert
from ..facts.gradients.state_broadcasts import need_weak_references
from ..facts.output.open_sinks import need_null_context, need_null_device
from ..facts.setup.horovod_start import starts
from ..facts.setup.import_places import init_place
from ..facts.setup.pinning import is_pinned_by_rank, means_devices
from ..facts.training.pattern import runs_graph
from ._import_edits import Lines, horovod_import, standard_import, tensorflow_import
from ._new_code import contextlib, fresh, hvd, os, tf, weakref

if TYPE_CHECKING:
    from ..facts import Facts

INIT = """
{hvd}.init()
"""
PIN = """\
{gpus} = {tf}.config.list_physical_devices("GPU")
for {gpu} in {gpus}:
    {tf}.config.experimental.set_memory_growth({gpu}, True)
if {gpus}:
    {tf}.config.set_visible_devices({gpus}[{hvd}.local_rank()], "GPU")

"""


def start_code(facts: Facts) -> str:
    """What is missing of `hvd.init()` and of the choice of a device."""
    names = {name: device_name(facts, name) for name in ("gpus", "gpu")}
    pin = "\n" if is_pinned(facts) else PIN
    return (("" if starts(facts) else INIT) + pin).format(hvd=hvd(facts), tf=tf(facts), **names)


def is_pinned(facts: Facts) -> bool:
    """Whether no statement behind the start chooses a GPU: sessions are told theirs (D401)."""
    return is_pinned_by_rank(facts) or runs_graph(facts)


def behind_start(facts: Facts, code: str) -> Lines:
    """Code for the module, a paragraph of its own behind a start that is inserted there."""
    place = None if starts(facts) else init_place(facts)
    if place is None:
        return {}
    started = len(ast.parse(start_code(facts)).body)
    imported = sum(lines[place].after.count("\n") for lines in _imports(facts) if place in lines)
    return {place: Insert(after=f"\n{code}\n", distance=started + imported)}


def _imports(facts: Facts) -> list[Lines]:
    """All imports that rules insert before this code is."""
    found = [horovod_import(facts), tensorflow_import(facts)]
    if facts.options.applies("D204"):
        if need_null_context(facts):
            found.append(standard_import(facts, "contextlib", contextlib(facts)))
        if need_null_device(facts):
            found.append(standard_import(facts, "os", os(facts)))
    if facts.options.applies("D202") and need_weak_references(facts):
        found.append(standard_import(facts, "weakref", weakref(facts)))
    return found


def device_name(facts: Facts, name: str) -> str:
    """`name`, if the module itself only means its devices by it; else a fresh one."""
    return name if means_devices(facts, name) else fresh(facts, name)
