"""How the batches of a `keras.utils.PyDataset`, or `Sequence`, are shared out (D107).

What orders the examples is told by rank 0: shares of different orders would overlap.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..edits import At, FoldCall, Insert, Wrap
from ..facts.data.batch_givers import BatchDataset, batch_datasets, shuffled, shuffles_in_place
from ..facts.keras_version import is_keras_3
from ..library.hooks import OF_EPOCHS
from ..library.tensorflow_names import PY_DATASET, SEQUENCE
from ._keras_3_forms import definitions
from ._new_code import code, fresh, hvd, spell, tape_module

if TYPE_CHECKING:
    from ..facts import Facts

SHARE = "Share"
_SHARE = '''\
class {name}({base}):
    """Of each row of as many batches as there are workers, the one of this worker."""

    def __init__(self, dataset):{threads}
        self.dataset, self.rank, self.size = dataset, {hvd}.rank(), {hvd}.size()

    def __len__(self):
        return len(self.dataset) // self.size

    def __getitem__(self, index):
        return self.dataset[index * self.size + self.rank]
'''
_THREADS = """
        super().__init__(
            dataset.workers, dataset.use_multiprocessing, dataset.max_queue_size
        )"""
_TOLD = """
    def {method}(self):
        self.dataset.{method}()
"""


def shared_batches(facts: Facts) -> Iterator[At]:
    """Each dataset of batches that a `fit` takes, and the orders that its class draws."""
    datasets = batch_datasets(facts)
    if datasets:
        yield definitions(facts, _class(facts, list(datasets.values())))
    draws = dict.fromkeys(call for dataset in datasets.values() for call in dataset.draws)
    yield from (alike(facts, call) for call in draws)
    for fit, dataset in datasets.items():
        yield At(dataset.value, Wrap(f"{fresh(facts, SHARE)}(_)"))
        yield At(fit, FoldCall())


def _class(facts: Facts, datasets: list[BatchDataset]) -> str:
    """The class of a share, which hands on what the program's own classes want to be told."""
    is_new = is_keras_3(facts)
    base = spell(facts, PY_DATASET if is_new else SEQUENCE)
    threads = _THREADS if is_new else ""
    text = _SHARE.format(name=fresh(facts, SHARE), base=base, hvd=hvd(facts), threads=threads)
    classes = [cls for dataset in datasets for cls in dataset.classes]
    for name in OF_EPOCHS:
        if any(facts.classes.method(cls, name) is not None for cls in classes):
            text += _TOLD.format(method=name)
    return text


def alike(facts: Facts, call: ast.Call) -> At:
    """What rank 0 has drawn in the place of each worker's own."""
    told, order = f"{tape_module(facts)}.broadcast_object({{}}, root_rank=0)", shuffled(facts, call)
    if shuffles_in_place(call) and order is not None:
        name = code(facts, order)
        return At(facts.statement(call), Insert(after=f"{name}[:] = {told.format(name)}\n"))
    return At(call, Wrap(told.format("_")))
