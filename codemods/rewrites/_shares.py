"""How one worker's share of a dataset is written; all forms were counted for 0 to 7 elements."""

from __future__ import annotations

from ..facts.data.data import Cut, Form

_OWN = ".shard({hvd}.size(), {hvd}.rank())"
_PAIR = (
    "{tf}.data.Dataset.zip(({ds}" + _OWN + ", {ds}.shard({hvd}.size(), {hvd}.size() - 1)))"
    ".map(lambda own, last: own)"
)
_FORMS = {
    Form.COUNTED: "_.take({length} // {hvd}.size() * {hvd}.size())" + _OWN,
    Form.GROUPED: "_.batch({hvd}.size(), drop_remainder=True).unbatch()" + _OWN,
    Form.ENDLESS: "_" + _OWN,
    Form.PAIRED: "_.apply(lambda ds: " + _PAIR.replace("{ds}", "ds") + ")",
}


def share(cut: Cut, hvd: str, tf: str) -> str:
    """The code of one worker's share; `_` stands for the dataset."""
    return _FORMS[cut.form].format(length=cut.length, hvd=hvd, tf=tf)
