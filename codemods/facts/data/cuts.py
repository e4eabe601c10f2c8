"""How the elements of a dataset are shared out, and what is left whole."""

from __future__ import annotations

import ast
from enum import Enum

from ...program.records import NamedTuple
from .lengths import Length
from .uses import End
from .whole_batches import Batch

# Why a dataset is left whole.
UNNAMED = "unknown length: give the dataset a name first"
WHOLE_BATCHES = "it comes in whole batches, of which each worker would get some, or none"
ASKED = "the program asks for its length, which TensorFlow couldn't tell of a share of it"
STATE = "the model keeps its state from batch to batch"
BEHIND = "`{}` comes after the elements were shuffled, repeated or batched"


class ShareForm(Enum):
    """How the shares are made equally long."""

    COUNTED = "the length is known: the remainder is dropped first"
    COUNTED_UNNAMED = (
        "the dataset knows its length, and has no name: the remainder is dropped first"
    )
    COUNTED_NAMED = "the dataset knows its length, and gets a name: the remainder is dropped first"
    GROUPED = "an incomplete last group of elements is dropped"
    PAIRED = "each element is kept while the last worker has one too"
    ENDLESS = "the dataset never ends"
    BATCHES = "batches are taken apart, an incomplete last group of examples is dropped"
    ENDLESS_BATCHES = "batches are taken apart, and the dataset never ends"


class Cut(NamedTuple):
    """Where the elements are shared out: behind `expr`."""

    expr: ast.expr
    form: ShareForm
    length: Length | None = None  # for COUNTED
    batch: Batch | None = None  # for batches
    in_turns: bool = False  # whole batches are dealt out


class Whole(NamedTuple):
    """A dataset that every worker keeps all of, and why."""

    end: End
    reason: str
