"""A person's first hour on a machine: a home of their own, what lies on PATH, and what was printed.

Commands are run as reports print them, by the shell, from the folder of the project.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

BIN = Path(sys.executable).parent
PATIENCE = 1_800  # seconds: Horovod may be compiled meanwhile
HEADINGS = "Repair it|Read why|See it|Apply it|Set up|Prove it|Train|Elsewhere"
_STEP = re.compile(rf"^(?:{HEADINGS}): +(.*?)(?:  # .*)?$")
_QUOTED = re.compile(r"`(distify [^`…]+)`")
_SHOWN = re.compile(r"^(?: {2,20}|.*: )(distify [a-z-]+ [^#]+?)(?: {2,}.*)?$")
_PLACEHOLDER = re.compile(r"\b[A-Z]{4,}\b|\[|\.\.\.|SCRIPT")
# How packages come from the network, where a machine says it.
KEPT = (
    "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_CONFIG_FILE", "PIP_CERT", "SSL_CERT_FILE",
    "REQUESTS_CA_BUNDLE", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "https_proxy", "http_proxy",
    "no_proxy",
)  # fmt: skip
# What changes the shell that a person types into.
_OF_THE_SHELL = ("source ", "export ")


class Done(NamedTuple):
    """A command that was run, how it ended, and all that it printed."""

    command: str
    code: int
    text: str

    def __str__(self) -> str:
        return f"$ {self.command}\n{self.text}\n[exit code {self.code}]"

    @property
    def printed(self) -> list[str]:
        """The commands of distify's own reports that stand in there, in order."""
        found = dict.fromkeys(_commands(self.text))
        return [each for each in found if not _PLACEHOLDER.search(each)]


def _commands(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if (step := _STEP.match(line)) is not None:
            yield step[1]
            continue
        yield from (each[1] for each in _QUOTED.finditer(line))
        if (shown := _SHOWN.match(line)) is not None and "`" not in line:
            yield shown[1]


class Hour:
    """What a person typed, on a machine where nothing of theirs was before."""

    def __init__(self, folder: Path, environment: Path | None) -> None:
        """`environment`: the one that is active, if any."""
        self.project, self.home = folder / "project", folder / "home"
        self.project.mkdir()
        self.home.mkdir()
        self.lines: list[str] = []
        self.all: list[Done] = []
        binaries = folder / "bin"
        binaries.mkdir()
        (binaries / "distify").symlink_to(BIN / "distify")
        active = [str(environment / "bin")] if environment else []
        self.environ = {
            "HOME": str(self.home), "LANG": "C.UTF-8", "COLUMNS": "100",
            "TF_CPP_MIN_LOG_LEVEL": "3",
            "PATH": os.pathsep.join([str(binaries), *active, "/usr/bin", "/bin"]),
            **({"VIRTUAL_ENV": str(environment)} if environment else {}),
            **{name: os.environ[name] for name in KEPT if name in os.environ},
        }  # fmt: skip

    def run(self, command: str) -> Done:
        """What comes of a command that a person types; questions are answered with yes."""
        whole = "\n".join(["set -e", *self.lines, command])
        done = subprocess.run(
            ["/bin/bash", "-c", whole],
            input="y\n" * 9, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, timeout=PATIENCE, check=False, env=self.environ, cwd=self.project,
        )  # fmt: skip
        if command.startswith(_OF_THE_SHELL) and not done.returncode:
            self.lines.append(command)
        self.all.append(Done(command, done.returncode, done.stdout))
        return self.all[-1]

    def contents(self) -> dict[str, bytes]:
        """The sources of the project, by their names."""
        found = [each for kind in ("*.py", "*.ipynb") for each in self.project.rglob(kind)]
        return {
            str(each.relative_to(self.project)): each.read_bytes()
            for each in found
            if ".venv" not in each.parts
        }


def packages(python: Path) -> Path:
    """Where those of a Python lie."""
    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    done = subprocess.run([python, "-c", ask], capture_output=True, text=True, check=True)
    return Path(done.stdout.strip())


def layered(folder: Path, python: Path) -> Path:
    """An environment on top of that Python's: what is installed into it leaves the other alone."""
    subprocess.run([python, "-m", "venv", folder], check=True)
    below, here = packages(python), packages(folder / "bin" / "python")
    (here / "below.pth").write_text(f"{below}\n")
    for kind in ("tensorflow*", "horovod", "keras"):  # what tells their versions
        for found in below.glob(f"{kind}-*.dist-info"):
            shutil.copytree(found, here / found.name)
    launcher = folder / "bin" / "horovodrun"
    launcher.write_text(
        f"#!{folder / 'bin' / 'python'}\n"
        "from horovod.runner.launch import run_commandline\n\n"
        "if __name__ == '__main__':\n    run_commandline()\n"
    )
    launcher.chmod(0o755)
    return folder
