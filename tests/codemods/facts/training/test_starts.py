"""What starts a training: groups of commands that others are given, and objects that are called."""

from __future__ import annotations

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.training.pattern import training_of

TRAINS = """\
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(tf.ones((8, 4)), tf.ones((8, 1)))
"""
DEEPER = TRAINS.replace("    model", "        model")


@pytest.mark.parametrize(
    ("text", "is_started"),
    [
        (f"inner = typer.Typer()\n@inner.command()\ndef run():\n{TRAINS}"
         "app = typer.Typer()\napp.add_typer(inner, name='a')\napp()\n", True),
        (f"inner = typer.Typer()\n@inner.command()\ndef run():\n{TRAINS}"
         "app = typer.Typer()\napp()\n", False),
        (f"@click.command()\ndef run():\n{TRAINS}"
         "cli = click.Group()\ncli.add_command(run)\ncli()\n", True),
        (f"class Loop:\n    def __call__(self):\n{DEEPER}loop = Loop()\nloop()\n", True),
        (f"class Loop:\n    def __call__(self):\n{DEEPER}Loop()()\n", True),
        (f"class Loop:\n    def __call__(self):\n{DEEPER}loop = Loop()\n", False),
        (f"class Base:\n    def __call__(self):\n{DEEPER}class Loop(Base):\n    pass\nLoop()()\n", True),
    ],
)  # fmt: skip
def test_it_is_seen_what_starts_it(text: str, is_started: bool) -> None:
    facts = Facts.of("import click, typer\nimport tensorflow as tf\n" + text)
    assert training_of(facts).starts_here is is_started
