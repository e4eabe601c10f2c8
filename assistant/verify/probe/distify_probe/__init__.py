"""Watches a training program from outside: no file of the program knows that it is watched.

Only the standard library is imported here; TensorFlow is hooked into when the program imports it.
Each module of this package that registers hooks is named in `HOOKS`; one that fails is recorded
as blind, and the program goes on (issue 3, "could not check" is never "fine").
"""

from __future__ import annotations

import importlib

from . import alive, hashing, imports, machines, record, setting

# Every module that hooks into something, in the order in which they are started.
HOOKS = (
    "errors",
    "standin",  # below "horovod", which watches the same operations
    "horovod",
    "steps",
    "variables",
    "optimizers",
    "losses",
    "byhand",
    "differentiated",
    "values",
    "saving",
    "versions",
    "examples",
    "one_step",
    "replay",
    "fed",
    "files",
    "graphs",
    "closed",
    "kept_local",
    "graph_dump",
    "callbacks",
    "larger_batches",
    "tiny",
    "peak_memory",
)
# Of a program in one process whose graphs alone are asked for (`distify race`).
OF_GRAPHS = ("errors", "every_graph")


def start() -> None:
    """Called once, by `sitecustomize`, before anything of the program runs."""
    alive.start()
    if not setting.WATCHED:
        # A helper process that is no worker; or horovodrun, which has no rank yet.
        if setting.FOLDER and setting.RANK < 0:
            importlib.import_module(f"{__name__}.launcher")
            imports.start()
        return
    hashing.start()
    machines.start()
    record.start()
    for name in OF_GRAPHS if setting.ROLE == "graphs" else HOOKS:
        with record.blind_on_failure(name):
            importlib.import_module(f"{__name__}.{name}")
    imports.start()
