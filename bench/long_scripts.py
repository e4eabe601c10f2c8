"""Training scripts of 300 lines, as people have them open: examples that have grown."""

from __future__ import annotations

from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"

ARGUMENTS = """\
import csv
import json
import logging
import random
import sys
import time

log = logging.getLogger(__name__)

DEFAULTS = {
    "name": "baseline",
    "notes": "",
    "threshold": 0.5,
    "tags": ["first", "small"],
}


def read_settings(path, defaults=DEFAULTS):
    \"\"\"What a file of settings says, over what is so otherwise.\"\"\"
    settings = dict(defaults)
    if path and os.path.exists(path):
        with open(path) as f:
            settings.update(json.load(f))
    for key in settings:
        if key not in defaults:
            raise KeyError("unknown setting: %s" % key)
    return settings


def setup_logging(level="INFO"):
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    log.addHandler(handler)
    log.setLevel(getattr(logging, level))


class Stopwatch:
    \"\"\"Measures named parts of a program.\"\"\"

    def __init__(self):
        self.parts = {}
        self.begun = None

    def __enter__(self):
        self.begun = time.time()
        return self

    def __exit__(self, *exc):
        self.parts[len(self.parts)] = time.time() - self.begun

    def total(self):
        return sum(self.parts.values())

    def report(self):
        for number, seconds in sorted(self.parts.items()):
            log.info("part %d: %.2f s", number, seconds)


"""

SCORES = """\
def confusion(truth, found):
    \"\"\"True and false positives and negatives of two masks.\"\"\"
    truth = np.asarray(truth, dtype=bool)
    found = np.asarray(found, dtype=bool)
    tp = int((truth & found).sum())
    fp = int((~truth & found).sum())
    fn = int((truth & ~found).sum())
    tn = int((~truth & ~found).sum())
    return tp, fp, fn, tn


def scores(truth, found):
    \"\"\"Precision, recall and what both make together.\"\"\"
    tp, fp, fn, _ = confusion(truth, found)
    precision = tp / max(1, tp + fp)
    recall = tp / max(1, tp + fn)
    if precision + recall == 0:
        return {"precision": 0.0, "recall": 0.0, "f1": 0.0}
    f1 = 2 * precision * recall / (precision + recall)
    return {"precision": precision, "recall": recall, "f1": f1}


def best_threshold(truth, probabilities, steps=20):
    \"\"\"The threshold with the best F1.\"\"\"
    best, at = -1.0, 0.5
    for k in range(1, steps):
        threshold = k / steps
        f1 = scores(truth, probabilities > threshold)["f1"]
        if f1 > best:
            best, at = f1, threshold
    return at


class Table:
    \"\"\"Rows that are printed in columns.\"\"\"

    def __init__(self, *names):
        self.names = names
        self.rows = []

    def add(self, *values):
        if len(values) != len(self.names):
            raise ValueError("a row has %d values" % len(self.names))
        self.rows.append(values)

    def widths(self):
        widths = [len(name) for name in self.names]
        for row in self.rows:
            for i, value in enumerate(row):
                widths[i] = max(widths[i], len(str(value)))
        return widths

    def __str__(self):
        widths = self.widths()
        lines = ["  ".join(n.ljust(w) for n, w in zip(self.names, widths))]
        for row in self.rows:
            lines.append("  ".join(str(v).ljust(w) for v, w in zip(row, widths)))
        return "\\n".join(lines)


def summarise(values):
    values = np.asarray(values, dtype=np.float64)
    return {
        "mean": float(values.mean()),
        "std": float(values.std()),
        "min": float(values.min()),
        "max": float(values.max()),
    }


"""


def keras_fit() -> str:
    """Patches, a network, `fit` with callbacks, a picture of the losses."""
    return _grown(
        "keras_segmentation_patches.py",
        {"try:\n    import matplotlib": ARGUMENTS, "model = build_unet(": SCORES},
    )


def tape_loop() -> str:
    """An encoder and a decoder, a compiled step, a loop over epochs with checkpoints."""
    return _grown(
        "tape_seq2seq_teacher.py",
        {"PAD, START, END": ARGUMENTS, "def translate(": SCORES},
    )


def session() -> str:
    """A graph of TensorFlow 1, a session that feeds it."""
    return _grown(
        "tf1/session_mnist_cnn.py",
        {"# Training Parameters": "import os\n" + ARGUMENTS, "# tf Graph input": SCORES},
    )


def _grown(example: str, additions: dict[str, str]) -> str:
    """An example with more above some of its lines, each of which is there once."""
    text = (EXAMPLES / example).read_text("utf-8")
    for above, more in additions.items():
        if text.count(above) != 1:
            raise ValueError(f"{example} has no line of its own with {above!r}")
        text = text.replace(above, more + above)
    return text


SCRIPTS = {"Keras `fit`": keras_fit, "tape in a loop": tape_loop, "session": session}
