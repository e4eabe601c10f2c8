"""Whole programs, from the grammar of what people write to train with TensorFlow 2."""

from __future__ import annotations

import re

from hypothesis import strategies as st

from distify.codemods.model import Options

from .choices import Choices, Draw, Lines, inside
from .keras_programs import KerasProgram
from .noise import docstring, noise
from .other_programs import other
from .program import Program
from .surface import render, surfaces
from .tape_programs import TapeProgram

CONSTANTS = {
    "RATE": "RATE = 0.1",
    "EPOCHS": "EPOCHS = 3",
    "VERBOSE": "VERBOSE = 2",
    "COUNT": "COUNT = 40",
}
PINNING = (
    ["import os", 'os.environ["CUDA_VISIBLE_DEVICES"] = "0"'],
    ["import os", "os.environ['CUDA_VISIBLE_DEVICES'] = '-1'"],
)


@st.composite
def programs(draw: Draw) -> Program:
    """Three of five train; nothing may happen to the others."""
    choices = Choices(draw)
    family = choices.one("keras", "tape", "other", "keras", "other", "tape", "other")
    surface = draw(surfaces())
    if family == "other":
        lines, name, kind, code, options = other(choices)
        if not any("horovod" in line for line in lines):  # the noise binds `hvd` to something else
            lines = [*noise(choices, 2), *lines, *noise(choices, 3, least=1)]
        return Program(render(lines, surface), name, kind, code, options)
    made = KerasProgram(choices) if family == "keras" else TapeProgram(choices)
    lines = whole(choices, made)
    return Program(
        render(lines, surface),
        family,
        options=Options(tensorflow=_target(choices, made), keras="legacy"),
    )


def _target(choices: Choices, made: KerasProgram) -> tuple[int, int]:
    """TensorFlow 2.16 asks for `tf_keras`, unless a program trains with Keras 3."""
    if made.s.style != "import keras" and choices.chance(10):
        return (2, 16)
    return choices.one((2, 15), (2, 15), (2, 9))


def whole(choices: Choices, made: KerasProgram) -> Lines:
    """A docstring, imports, constants, definitions, and the program itself in one of its forms."""
    body = made.body()
    text = "\n".join([*body, *made.top])
    constants = [line for name, line in CONSTANTS.items() if re.search(rf"\b{name}\b", text)]
    return [
        *docstring(choices),
        *start(choices, made),
        *noise(choices, 2),
        *constants,
        *made.top,
        *noise(choices, 2),
        *formed(choices, body),
    ]


def start(choices: Choices, made: KerasProgram) -> Lines:
    """The imports, and perhaps a choice of a GPU."""
    form = choices.one("none", "before", "behind", "devices")
    if form == "none":
        return made.s.lines()
    if form == "devices":
        made.s.module("import tensorflow as tf")
        pinning = [
            'devices = tf.config.list_physical_devices("GPU")',
            *inside("if devices:", ['tf.config.set_visible_devices(devices[0], "GPU")']),
        ]
        return [*made.s.lines(), *pinning]
    pinning = choices.one(*PINNING)
    return [*pinning, *made.s.lines()] if form == "before" else [*made.s.lines(), *pinning]


def formed(choices: Choices, body: Lines) -> Lines:
    """At the level of the module, in a function, or guarded."""
    form = choices.one("module", "main", "guard", "if")
    if form == "module":
        return body
    if form == "if":
        return inside("if __name__ == '__main__':", body)
    call = ["main()"] if form == "main" else inside('if __name__ == "__main__":', ["main()"])
    return [*inside("def main():", body), *call]
