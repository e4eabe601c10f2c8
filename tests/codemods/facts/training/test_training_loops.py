"""Loops that train: how often each place of them runs."""

from __future__ import annotations

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.training.training_loops import runs_once

HEAD = "import tensorflow as tf\nfrom absl import app\n"
DERIVED = """\
class A({1}):
    def __init__(self):
        super().__init__()
        self.{0}()

    def {0}(self):
        ask()


A()
"""


@pytest.mark.parametrize(
    ("text", "once"),
    [
        ("ask()", True),
        ("if a:\n    ask()", True),
        ("for a in b:\n    ask()", False),
        ("while a:\n    ask()", False),
        ("lambda: ask()", False),
        ("def f():\n    ask()", False),
        ("def f():\n    ask()\n\n\nf()", True),
        ("def f():\n    ask()\n\n\nf()\nf()", False),
        ("def f():\n    ask()\n\n\nfor a in b:\n    f()", False),
        ("def f():\n    ask()\n\n\ndef g():\n    f()\n\n\ng()", True),
        ("def f():\n    ask()\n\n\ndef g():\n    f()\n\n\ng()\ng()", False),
        ("def f():\n    ask()\n    f()\n\n\nf()", False),
        ("def main(a):\n    ask()\n\n\napp.run(main)", True),
        ("def main(a):\n    ask()\n\n\napp.run(main)\napp.run(main)", False),
        ("def main(a):\n    ask()\n\n\nThread(main)", False),
        ("def main(a):\n    ask()\n\n\nother = main", False),
        ("def main(a):\n    ask()\n\n\nmain(1)\napp.run(main)", False),
        (DERIVED.format("on_epoch_end", "tf.keras.utils.Sequence"), False),  # which Keras calls
        (DERIVED.format("prepare", "tf.keras.utils.Sequence"), True),
        (DERIVED.format("on_epoch_end", "object"), True),
    ],
)
def test_what_runs_once(text: str, once: bool) -> None:
    facts = Facts.of(HEAD + text)
    call = next(c for c in facts.index.calls if getattr(c.func, "id", "") == "ask")
    assert runs_once(facts, call) is once
