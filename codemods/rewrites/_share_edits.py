"""How one worker's share of a dataset is written; all forms were counted for 0 to 7 elements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..edits import Chain
from ..facts.data.data_lengths import Container, Length
from ..facts.data.share_forms import Batch, Cut, ShareForm
from ._new_code import code, fresh_for, hvd, tf

if TYPE_CHECKING:
    from ..facts import Facts

_OWN = ".shard({hvd}.size(), {hvd}.rank())"
_PAIR = (
    "{tf}.data.Dataset.zip(({ds}" + _OWN + ", {ds}.shard({hvd}.size(), {hvd}.size() - 1)))"
    ".map(lambda own, last: own)"
)
_FORMS = {
    ShareForm.COUNTED: "_.take({length} // {hvd}.size() * {hvd}.size())" + _OWN,
    ShareForm.COUNTED_UNNAMED: "_.apply(lambda ds: ds.take(len(ds) // {hvd}.size() * {hvd}.size())"
    + _OWN
    + ")",
    ShareForm.COUNTED_NAMED: "_.take(len({length}) // {hvd}.size() * {hvd}.size())" + _OWN,
    ShareForm.GROUPED: "_.batch({hvd}.size(), drop_remainder=True).unbatch()" + _OWN,
    ShareForm.ENDLESS: "_" + _OWN,
    ShareForm.BATCHES: "_.unbatch().batch({hvd}.size(), drop_remainder=True).unbatch()"
    + _OWN
    + ".batch({length})",
    ShareForm.ENDLESS_BATCHES: "_.unbatch()" + _OWN + ".batch({length})",
    ShareForm.PAIRED: "_.apply(lambda ds: " + _PAIR.replace("{ds}", "ds") + ")",
}


# What a reader of these forms asks: why is it batched, taken apart or zipped?
_GROUPS = "whole groups only, one element a worker: all take the same number of steps"
_WHY = {
    ShareForm.GROUPED: _GROUPS,
    ShareForm.BATCHES: _GROUPS,
    ShareForm.PAIRED: "each share ends where the last one does: all take the same number of steps",
}

# How arrays are cut; `{shard}` stands for the slice.
CUT = {
    Container.ITSELF: "_[{shard}]",
    Container.LIST: "[array[{shard}] for array in _]",
    Container.TUPLE: "tuple(array[{shard}] for array in _)",
    Container.DICT: "{{key: array[{shard}] for key, array in _.items()}}",
}
CUT_UNPACKED = "(array[{shard}] for array in _)"  # behind `*`


def share(facts: Facts, cut: Cut) -> Chain:
    """One worker's share of a dataset."""
    number = "" if cut.length is None else length(facts, cut.length)
    number = number if cut.batch is None else batching(facts, cut.batch)
    name = ""
    if cut.form is ShareForm.COUNTED_NAMED:
        first = "batches" if cut.in_turns else "examples"
        is_taken = facts.scope(cut.expr).find(first) is not None
        number = name = fresh_for(facts, "elements" if is_taken else first, cut.expr)
    code = written(cut.form, hvd(facts), tf(facts), number)
    return Chain(code, _WHY.get(cut.form, ""), name)


def batching(facts: Facts, batch: Batch) -> str:
    """The arguments of `batch`."""
    size = str(batch.size) if isinstance(batch.size, int) else code(facts, batch.size)
    return f"{size}, drop_remainder=True" if batch.drops_last else size


def written(form: ShareForm, hvd: str, tf: str, length: str = "") -> str:
    """The code of a form, with these names and this number of elements."""
    return _FORMS[form].format(length=length, hvd=hvd, tf=tf)


def length(facts: Facts, number: Length) -> str:
    """The code of a number of elements."""
    text = code(facts, number.of)
    if number.is_number:
        return text
    if number.part is None:
        return f"len({text})"
    return f'len({text}["{number.part}"])' if number.part != 0 else f"len({text}[0])"
