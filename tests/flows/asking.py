"""Ask the engine which role gets to `SINK` in a program of one module."""

from __future__ import annotations

import ast

from distify.codemods.facts.questions import QUESTIONS
from distify.codemods.facts.role_domain import ROLE
from distify.codemods.program.program import Program

HEAD = """\
import collections, contextlib, copy, dataclasses, functools, itertools, types, typing
from argparse import Namespace
import numpy as np
import tensorflow as tf
from tensorflow import keras
"""
VALUES = {
    "optimizer": "keras.optimizers.Adam(0.1)",
    "number": "0.1",
    "dataset": "tf.data.Dataset.range(9)",
    "array": "np.ones((4, 2))",
    "callback": "keras.callbacks.EarlyStopping()",
    "model": "keras.Sequential()",
}


def program(text: str) -> Program:
    """The program with the imports that all of them share."""
    return Program({"main": HEAD + text}, QUESTIONS)


def sink(found: Program, name: str = "SINK") -> ast.expr:
    """What is assigned to `SINK` at last."""
    stores = [
        s.value
        for s in ast.walk(found.modules["main"])
        if isinstance(s, ast.Assign) and getattr(s.targets[0], "id", "") == name
    ]
    return stores[-1]


def roles(text: str) -> frozenset[str]:
    """Every role that may get to `SINK`, without the None that stands beside it."""
    found = program(text)
    return found.value(ROLE, sink(found)) - {"none"}


def exactly(text: str, role: str) -> bool:
    """Whether the engine says that it is this role and nothing else."""
    return roles(text) == {role}
