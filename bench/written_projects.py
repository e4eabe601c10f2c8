"""Projects as people write them: readers, classes, layers and scripts around one that trains.

Eight modules take part in the training. Of the others every fourth is a script that trains nothing;
each of the rest uses one or two of the modules before it, as scripts do. `is_handed_on`: the
packages hand on all that their modules define, so that whoever imports one name imports them all.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

READER = '''\
"""Reads records of kind {number}."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import numpy as np

{imports}

COLUMNS = ("name", "size", "value{number}")
DEFAULT = os.path.join("data", "records{number}.csv")


def rows_{number}(path=DEFAULT):
    """The rows of a file."""
    if not Path(path).exists():
        return []
    with open(path, newline="") as file:
        return [row for row in csv.DictReader(file) if row["name"]]


def read_{number}(path=DEFAULT, scale=1.0):
    """The values of a file as an array."""
    found = []
    for row in rows_{number}(path):
        try:
            found.append(scale * float(row[COLUMNS[-1]]))
        except ValueError:
            continue
    return np.asarray(found, "float32")


def summary_{number}(path=DEFAULT):
    """What a report says of a file."""
    values = read_{number}(path)
    return {{"count": len(values), "mean": float(values.mean()), "of": {used}}}
'''
CLASS = '''\
"""Results of kind {number}."""

import json
from dataclasses import asdict, dataclass, field
from typing import List, Optional

{imports}


@dataclass
class Result{number}:
    """One result."""

    name: str
    score: float = 0.0
    tags: List[str] = field(default_factory=list)

    @property
    def label(self) -> str:
        return f"{{self.name}}: {{self.score:.3f}}"

    def as_dict(self) -> dict:
        return asdict(self)


class Table{number}:
    """Results by their names."""

    def __init__(self, title: Optional[str] = None):
        self.title = title or "results {number}"
        self._rows: List[Result{number}] = []

    def add(self, name: str, score: float) -> "Table{number}":
        self._rows.append(Result{number}(name, score))
        return self

    def best(self) -> Optional[Result{number}]:
        return max(self._rows, key=lambda row: row.score, default=None)

    def save(self, path: str) -> None:
        with open(path, "w") as file:
            json.dump([row.as_dict() for row in self._rows], file, indent=2)

    @staticmethod
    def others():
        return {used}
'''
LAYER = '''\
"""A block of layers, number {number}."""

import tensorflow as tf
from tensorflow.keras import layers

{imports}

UNITS = {number} + 8


class Block{number}(layers.Layer):
    """Two layers and a way around them."""

    def __init__(self, units=UNITS, rate=0.1, **kwargs):
        super().__init__(**kwargs)
        self.units = units
        self.first = layers.Dense(units, activation="relu")
        self.second = layers.Dense(units)
        self.drop = layers.Dropout(rate)

    def call(self, inputs, training=False):
        x = self.first(inputs)
        x = self.drop(self.second(x), training=training)
        return tf.nn.relu(x + inputs) if x.shape[-1] == inputs.shape[-1] else x

    def get_config(self):
        return {{**super().get_config(), "units": self.units}}


def block_{number}(inputs, depth=1):
    for _ in range(depth):
        inputs = Block{number}()(inputs)
    return inputs


def parts_{number}():
    return {used}
'''
SCRIPT = '''\
"""Prints what is known of part {number}."""

import argparse
import logging
import sys

{imports}

log = logging.getLogger(__name__)


def parse(words=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--path", default="data/records{number}.csv")
    parser.add_argument("--verbose", action="store_true")
    return parser.parse_args(words)


def main():
    args = parse()
    if args.verbose:
        log.setLevel(logging.DEBUG)
    found = {used}
    for number, each in enumerate(found):
        print(number, each, args.path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
'''
# The eight that take part in the training, and the script: by their paths.
TRAINING = {
    "train.py": """\
import tensorflow as tf

from pkg.config import Config
from pkg.data.loader import load
from pkg.models.net import build
from pkg.training.callbacks import callbacks
from pkg.utils.files import output


def main():
    config = Config()
    dataset = load(config.batch)
    model = build(config.units)
    model.compile(tf.keras.optimizers.Adam(config.rate), "mse")
    model.fit(dataset, epochs=config.epochs, callbacks=callbacks(config))
    model.save(output(config.folder))


if __name__ == "__main__":
    main()
""",
    "pkg/config.py": """\
from dataclasses import dataclass


@dataclass
class Config:
    batch: int = 32
    units: int = 16
    rate: float = 0.001
    epochs: int = 2
    folder: str = "out"
""",
    "pkg/data/loader.py": """\
import numpy as np
import tensorflow as tf

from pkg.data.augment import noisy
{data}

def load(batch):
    x = np.ones((256, 8), "float32")
    y = np.ones((256, 1), "float32")
    return tf.data.Dataset.from_tensor_slices((x, y)).shuffle(256).map(noisy).batch(batch)
""",
    "pkg/data/augment.py": """\
import tensorflow as tf


def noisy(x, y):
    return x + tf.random.normal(tf.shape(x), stddev=0.01), y
""",
    "pkg/models/net.py": """\
import tensorflow as tf

from pkg.models.blocks import head
{layers}

def build(units):
    inputs = tf.keras.Input((8,))
    x = tf.keras.layers.Dense(units, activation="relu")(inputs)
    return tf.keras.Model(inputs, head({used}))
""",
    "pkg/models/blocks.py": """\
import tensorflow as tf


def head(x):
    return tf.keras.layers.Dense(1)(x)
""",
    "pkg/training/callbacks.py": """\
import tensorflow as tf

from pkg.training.schedule import schedule


def callbacks(config):
    return [tf.keras.callbacks.LearningRateScheduler(schedule)]
""",
    "pkg/training/schedule.py": """\
def schedule(epoch, rate):
    return rate if epoch < 1 else rate * 0.5
""",
    "pkg/utils/files.py": """\
import os


def output(folder):
    return os.path.join(folder, "model.h5")
""",
}


class Kind(NamedTuple):
    """Modules of one kind: where they stand, their text, and what of one others call."""

    package: str
    text: str
    name: str


KINDS = (
    Kind("pkg/data", READER, "summary_{}"),
    Kind("pkg/results", CLASS, "Table{}"),
    Kind("pkg/layers", LAYER, "parts_{}"),
)
EVERY = 4  # one in so many is a script
NEAR = 24  # modules use others that were written about the same time


def write(folder: Path, modules: int, is_handed_on: bool = False) -> None:
    """A project of so many modules, packages not counted."""
    files = _texts(modules, is_handed_on)
    for path, text in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")


def scripts(modules: int) -> int:
    """How many of the modules are scripts, that which trains not counted."""
    return len(range(EVERY - 1, modules - len(TRAINING), EVERY))


def _texts(modules: int, is_handed_on: bool) -> dict[str, str]:
    files = {"pyproject.toml": '[project]\nname = "generated"\n'}
    handed: dict[str, list[str]] = defaultdict(list)
    for number in range(modules - len(TRAINING)):
        if number % EVERY == EVERY - 1:
            files[f"scripts/tool{number}.py"] = SCRIPT.format(**_uses(number, 4, is_handed_on))
            continue
        kind = KINDS[number % EVERY]
        path = f"{kind.package}/part{number}.py"
        files[path] = kind.text.format(**_uses(number, 1 + number % 2, is_handed_on))
        handed[kind.package].append(f"from .part{number} import {kind.name.format(number)}\n")
    files.update(_training(is_handed_on))
    for path in [path for path in files if path.startswith("pkg/")]:
        package = path.rpartition("/")[0]
        lines = handed[package] if is_handed_on else []
        files[f"{package}/__init__.py"] = "".join(lines)
    files["pkg/__init__.py"] = ""
    return files


def _training(is_handed_on: bool) -> dict[str, str]:
    data = "from pkg.data import summary_0\n" if is_handed_on else ""
    layers = "from pkg.layers import parts_2\n" if is_handed_on else ""
    parts = {"{data}": data, "{layers}": layers, "{used}": "x"}
    files = dict(TRAINING)
    for path in files:
        for mark, text in parts.items():
            files[path] = files[path].replace(mark, text)
    return files


def _uses(number: int, count: int, is_handed_on: bool) -> dict[str, object]:
    """The imports of a module, and what it does with them: always the same ones."""
    before = [n for n in range(max(0, number - NEAR), number) if n % EVERY != EVERY - 1]
    chosen = {
        before[(7 * number + 5 * each) % len(before)] for each in range(count if before else 0)
    }
    imports, used = [], []
    for each in sorted(chosen):
        kind = KINDS[each % EVERY]
        name = kind.name.format(each)
        place = kind.package.replace("/", ".") + ("" if is_handed_on else f".part{each}")
        imports.append(f"from {place} import {name}")
        used.append(f"{name}()")
    return {
        "number": number,
        "imports": "\n".join(imports),
        "used": f"[{', '.join(used)}]",
    }
