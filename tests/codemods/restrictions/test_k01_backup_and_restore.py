"""What is said of BackupAndRestore works: it is written into the case, and that is migrated."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

from distify import codemods
from distify.codemods.migrate import migrate

PAGE = Path(codemods.__path__[0]) / "pages" / "K01.md"
HEAD = """\
import glob
import os
import tensorflow as tf

x, y = tf.ones([64, 2]), tf.ones([64, 1])
"""
BUILD = """\
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
"""
FIT = "model.fit(x, y, callbacks=[{}])\n"
LOADED = 'distributed(tf.keras.models.load_model("backup.keras", '


def test_the_fix_is_migrated() -> None:
    (found,) = migrate(
        HEAD + BUILD + FIT.format('tf.keras.callbacks.BackupAndRestore("b")')
    ).blocked
    callback, load = [code for code in re.findall(r"`(.*?)`", found.fix) if code != "fit"]
    result = migrate(HEAD + BUILD + load + "\n" + FIT.format(callback))
    assert not result.blocked
    assert LOADED in " ".join(result.after.split()).replace("( ", "(")


def test_the_program_of_its_page_is_migrated() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    build = "def build():\n" + textwrap.indent(BUILD + "return model\n", "    ")
    result = migrate(HEAD + build + code)
    assert not result.blocked
    after = " ".join(result.after.split())
    assert "model = distributed(" in after
    assert "start = int(hvd.broadcast(start, root_rank=0))" in after
    assert "initial_epoch=start" in after
