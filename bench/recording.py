"""A recording of the walk for the docs: a real terminal, answered by keys, drawn as an SVG.

make pictures
"""

from __future__ import annotations

import io
import os
import sys
import tempfile
import termios
import time
from pathlib import Path
from typing import Any

import pexpect  # type: ignore[import-untyped]
from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "interactive.svg"
WIDTH = 96
KEYS = "wyyyynyyy"  # a whole batch for each; prints of every worker are a matter of taste
# How far it is, which a slow machine would show, isn't a part of the picture.
_QUIET = 'exec "$0" "$@" 2>/dev/null'
PROGRAM = """\
import tensorflow as tf

(x, y), _ = tf.keras.datasets.mnist.load_data()
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
model.compile(optimizer=tf.keras.optimizers.Adam(0.001), loss=loss)
model.fit(x / 255.0, y, batch_size=64, epochs=3)
print("done")
"""
# The template of rich without the font that it fetches from a server: the picture opens offline.
FORMAT = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">
<title>A walk through one script</title>
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, monospace; \
font-size: {char_height}px; line-height: {line_height}px; }}
.{unique_id}-title {{ font-size: 18px; font-family: sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal"><rect width="{terminal_width}" \
height="{terminal_height}" /></clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" \
clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def seen() -> str:
    """What a person sees who answers with KEYS."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "train.py").write_text(PROGRAM)
        Path(folder, "pyproject.toml").write_text('[tool.distify]\ntensorflow = "2.15"\n')
        environment = {**os.environ, "HOME": folder, "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        environment["PATH"] = os.pathsep.join([os.environ["PATH"], _launcher(folder)])
        for name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR"):
            environment.pop(name, None)
        program = pexpect.spawn(
            "/bin/sh",
            ["-c", _QUIET, sys.executable, "-m", "distify", "migrate", "--interactive", "train.py"],
            cwd=folder,
            env=environment,
            encoding="utf-8",
            timeout=60,
            dimensions=(40, WIDTH),
        )
        text, keys = "$ distify migrate --interactive train.py\r\n", iter(KEYS)
        while program.expect([r"\[[a-z1-9?](?:,[a-z1-9?])+\] ", pexpect.EOF]) == 0:
            _until_it_listens(program)
            program.send(next(keys))
            text += f"{program.before}{program.after}"
        return f"{text}{program.before or ''}"


def _launcher(folder: str) -> str:
    """The folder of a launcher, as it is where Horovod is installed: the picture is the same."""
    launcher = Path(folder, ".launcher", "horovodrun")
    launcher.parent.mkdir()
    launcher.write_text("#!/bin/sh\nexit 1\n")
    launcher.chmod(0o755)
    return str(launcher.parent)


def _until_it_listens(program: Any) -> None:
    """A key is lost that comes before it is waited for."""
    program.delaybeforesend = None
    while termios.tcgetattr(program.child_fd)[3] & termios.ICANON:
        time.sleep(0.005)


def picture(text: str) -> str:
    """The same as an SVG."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi(text.replace("\r\n", "\n")), soft_wrap=True)
    title = "distify migrate --interactive"
    return console.export_svg(title=title, code_format=FORMAT, unique_id="walk")


def main() -> None:
    PICTURE.write_text(picture(seen()), encoding="utf-8")
    print(f"{PICTURE.relative_to(ROOT)}: drawn")


if __name__ == "__main__":
    main()
