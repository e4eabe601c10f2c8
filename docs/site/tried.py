"""What the page that tries distify out runs: the very commands, on one script, in the browser."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping

from click.testing import CliRunner, Result

from distify.assistant.cli.commands import distify

SCRIPT = "train.py"


def tried(text: str) -> Mapping[str, str]:
    """What `check` and `migrate --diff` say of a script, and what it becomes."""
    with tempfile.TemporaryDirectory() as folder:
        here = os.getcwd()
        os.chdir(folder)
        try:
            with open(SCRIPT, "w", encoding="utf-8", newline="") as file:
                file.write(text)
            check, diff = _run("check", SCRIPT), _run("migrate", "--diff", SCRIPT)
            script = _run("migrate", "--quiet", "-", given=text)
        finally:
            os.chdir(here)
    return {
        "check": check.output,
        "diff": diff.stdout or diff.stderr,  # where nothing changes, why
        "script": script.stdout_bytes.decode(),
    }


def _run(*command: str, given: str = "") -> Result:
    arguments = [command[0], "--no-cache", "--color", "never", *command[1:]]
    done = CliRunner().invoke(distify, arguments, input=given.encode())
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done
