"""How the callbacks of a fit are given, and which of them only rank 0 keeps."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.output.callback_lists import ListForm, callback_list

HEAD = """\
from tensorflow import keras
from tensorflow.keras.callbacks import CSVLogger, EarlyStopping, TensorBoard

model = keras.Sequential([])
own = []
"""


def found(text: str) -> tuple[ListForm, list[str], list[str]]:
    """The form, what rank 0 keeps of displays, and which statements it alone runs."""
    facts = Facts.of(HEAD + text)
    fit = next(call for call in facts.index.calls if ast.unparse(call.func) == "model.fit")
    seen = callback_list(facts, fit)
    assert ListForm.MISSING is seen.form or all(v is not None for _, v in seen.judged)
    return (
        seen.form,
        [ast.unparse(e) for e in seen.rank_zero],
        [ast.unparse(s) for s in seen.guarded],
    )


LOGGER, STOP = "CSVLogger(a)", "EarlyStopping()"
FORMS = {
    "model.fit(x)": (ListForm.MISSING, [], []),
    "model.fit(x, callbacks=None)": (ListForm.MISSING, [], []),
    "model.fit(x, callbacks=0)": (ListForm.FILTERED, [], []),
    f"model.fit(x, callbacks=[{LOGGER}, {STOP}])": (ListForm.DISPLAY, [LOGGER], []),
    f"model.fit(x, callbacks=({LOGGER}, {STOP}))": (ListForm.DISPLAY, [LOGGER], []),
    "model.fit(x, callbacks=[])": (ListForm.DISPLAY, [], []),
    f"model.fit(x, callbacks=[{LOGGER}, *more])": (ListForm.FILTERED, [], []),
    f"model.fit(x, callbacks=[{LOGGER}, make()])": (ListForm.FILTERED, [], []),
    f"model.fit(x, callbacks={STOP})": (ListForm.SINGLE, [], []),
    f"model.fit(x, callbacks={LOGGER})": (ListForm.WRITER, [], []),
    f"one = {STOP}\nmodel.fit(x, callbacks=one)": (ListForm.SINGLE, [], []),
    f"one = {LOGGER} if b else TensorBoard(a)\nmodel.fit(x, callbacks=one)": (ListForm.WRITER, [], []),
    f"one = {LOGGER} if b else {STOP}\nmodel.fit(x, callbacks=one)": (ListForm.FILTERED, [], []),
    f"all = [{LOGGER}, {STOP}]\nmodel.fit(x, callbacks=all)": (ListForm.NAMED, [LOGGER], []),
    f"all = [{STOP}]\nmodel.fit(x, callbacks=all)": (ListForm.NAMED, [], []),
    f"all = [{LOGGER}]\nmodel.fit(x, None, 1, 2, 3, all)": (ListForm.NAMED, [LOGGER], []),
    f"all = []\nall.append({LOGGER})\nall.append({STOP})\nmodel.fit(x, callbacks=all)":
        (ListForm.NAMED, [], [f"all.append({LOGGER})"]),
    f"all = []\nall.insert(0, {LOGGER})\nmodel.fit(x, callbacks=all)":
        (ListForm.NAMED, [], [f"all.insert(0, {LOGGER})"]),
    f"all = []\nall.extend([{STOP}, {LOGGER}])\nmodel.fit(x, callbacks=all)": (ListForm.NAMED, [LOGGER], []),
    f"all = []\nall.extend(({LOGGER},))\nmodel.fit(x, callbacks=all)": (ListForm.NAMED, [LOGGER], []),
    f"all = [{STOP}]\nall += [{LOGGER}]\nmodel.fit(x, callbacks=all)": (ListForm.NAMED, [LOGGER], []),
    f"all = [{LOGGER}]\nif b:\n    all = [TensorBoard(a)]\nmodel.fit(x, callbacks=all)":
        (ListForm.NAMED, [LOGGER, "TensorBoard(a)"], []),
    f"all = [{LOGGER}]\nprint(all)\nlen(all)\nmodel.fit(x, callbacks=all)": (ListForm.NAMED, [LOGGER], []),
    f"all = [{LOGGER}]\nother.fit(x, callbacks=all)\nmodel.fit(x, callbacks=all)":
        (ListForm.NAMED, [LOGGER], []),
    f"def make():\n    return [{LOGGER}]\n\n\nmodel.fit(x, callbacks=make())": (ListForm.NAMED, [LOGGER], []),
    f"def make():\n    all = []\n    all.append({LOGGER})\n    return all\n\n\nmodel.fit(x, callbacks=make())":
        (ListForm.NAMED, [], [f"all.append({LOGGER})"]),
    f"def make():\n    if a:\n        return [{LOGGER}]\n    return []\n\n\nmodel.fit(x, callbacks=make())":
        (ListForm.NAMED, [LOGGER], []),
    f"class T:\n    def a(self):\n        self.all = [{LOGGER}]\n\n    def b(self):\n"
    "        model.fit(x, callbacks=self.all)": (ListForm.NAMED, [LOGGER], []),
    **{
        f"all = [{LOGGER}]\n{use}\nmodel.fit(x, callbacks=all)": (ListForm.FILTERED, [], [])
        for use in (
            "change(all)",
            "all.sort()",
            "all.extend(more)",
            "all.append()",
            "b = all.append",
            "b = all.pop()",
            "b = all",
            "all[0] = b",
            "all.append(make())",
            "all += more",
            "all = more",
            "all, b = more",
            "other.fit(all)",
            "for all in b:\n    pass",
        )
    },
    "model.fit(x, callbacks=make())": (ListForm.FILTERED, [], []),
    "def make():\n    return f()\n\n\nmodel.fit(x, callbacks=make())": (ListForm.FILTERED, [], []),
    "def make():\n    return\n\n\nmodel.fit(x, callbacks=make())": (ListForm.FILTERED, [], []),
    "def make():\n    pass\n\n\nmodel.fit(x, callbacks=make())": (ListForm.FILTERED, [], []),
    "def f(all):\n    model.fit(x, callbacks=all)": (ListForm.FILTERED, [], []),
    "model.fit(x, callbacks=own)": (ListForm.NAMED, [], []),
}  # fmt: skip


@pytest.mark.parametrize("text", FORMS)
def test_how_callbacks_are_given(text: str) -> None:
    assert found(text) == FORMS[text]
