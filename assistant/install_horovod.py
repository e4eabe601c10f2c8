"""Builds Horovod 0.28.1 for the TensorFlow that is installed, 2.16 to 2.21 with Keras 3 included.

Horovod's last release compiles up to TensorFlow 2.18: later ones moved a header that its XLA
operations alone need (horovod#4302, horovod#4314). They are off by default (horovod#3053), and
empty without CUDA or ROCm, so they are left out of the build. With the new path, `absl::StatusOr`
and LLVM's headers, which TensorFlow's packages lack, their source passes the compiler (2.19); it
was run on no GPU. This file needs the standard library alone: `make` runs it as it is.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

HOROVOD = "0.28.1"
TOOLS = ("setuptools<81", "wheel", "packaging", "cmake<4")
SETTINGS = {
    "HOROVOD_WITH_TENSORFLOW": "1",
    "HOROVOD_WITH_GLOO": "1",
    "HOROVOD_WITHOUT_MPI": "1",
    "HOROVOD_WITHOUT_PYTORCH": "1",
    "HOROVOD_WITHOUT_MXNET": "1",
}
SOURCES = "horovod/tensorflow/CMakeLists.txt"
XLA = "xla_mpi_ops.cc"  # includes tensorflow/compiler/xla/client/xla_builder.h
# Two workers, whose mean tells that each of them was heard.
CHECK = """\
import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
mean = float(hvd.allreduce(tf.constant(float(hvd.rank()))))
assert hvd.size() == 2 and mean == 0.5, (hvd.size(), mean)
"""


class InstallProblem(Exception):
    """What went wrong, in one message."""


class Step(NamedTuple):
    """One command, the folder that it runs in, and what it is for."""

    purpose: str
    command: tuple[str, ...]
    settings: Mapping[str, str] = {}

    def shown(self) -> str:
        """The command as one would type it."""
        settings = [f"{name}={shlex.quote(value)}" for name, value in self.settings.items()]
        return " ".join([*settings, shlex.join(self.command)])


def steps(python: str, folder: Path, tensorflow: str = "") -> list[Step]:
    """The commands that install Horovod for a Python, in order; `folder` takes the source.

    `tensorflow` is the version to install first, where there is none.
    """
    pip = (python, "-m", "pip", "--disable-pip-version-check", "--quiet")
    source = folder / f"horovod-{HOROVOD}"
    fetch = ("download", "--no-deps", "--no-binary", ":all:", "--no-build-isolation")
    # A wheel that pip kept was compiled for another TensorFlow ("undefined symbol").
    build = ("install", "--no-cache-dir", "--no-build-isolation", "--force-reinstall", "--no-deps")
    needed = ("cloudpickle", "psutil", "pyyaml")
    first = Step("install TensorFlow", (*pip, "install", f"tensorflow=={tensorflow}"))
    return [
        *([first] if tensorflow else []),
        Step("install what builds it", (*pip, "install", *TOOLS, *needed)),
        Step("fetch its source", (*pip, *fetch, "-d", str(folder), f"horovod=={HOROVOD}")),
        Step("leave out its XLA operations", _own("--patch", source)),
        Step("compile and install it", (*pip, *build, str(source)), settings(python)),
        Step("average a number over two workers", _own("--check", Path(python))),
    ]


def has_compiler() -> bool:
    """Whether there is a C++ compiler: CMake asks `CXX` first."""
    named = os.environ.get("CXX", "").partition(" ")[0]
    return any(map(shutil.which, filter(None, (named, "c++", "g++", "clang++"))))


def settings(python: str) -> dict[str, str]:
    """What the build is told by the environment; the user's own settings come first."""
    flags = f"-j{os.cpu_count() or 1}"  # those of a make around it would be taken for its own
    chosen = {name: os.environ.get(name, value) for name, value in SETTINGS.items()}
    path = os.pathsep.join((os.path.dirname(python), os.environ.get("PATH", os.defpath)))
    return {**chosen, "MAKEFLAGS": flags, "PATH": path}


def _own(option: str, path: Path) -> tuple[str, ...]:
    return (sys.executable, "-I", str(Path(__file__).resolve()), option, str(path))


def install(python: str, tensorflow: str = "") -> None:
    """Runs all steps, telling each. Raises InstallProblem with the first command that fails.

    They run in a folder of their own: `python -m` and `-c` take the current one's `pip/` for pip.
    """
    with tempfile.TemporaryDirectory(prefix="distify-horovod-") as folder:
        for step in steps(python, Path(folder), tensorflow):
            tell(f"# {step.purpose}\n{step.shown()}")
            run(step.command, step.settings, folder)


def tell(text: str) -> None:
    """Writes lines at once: what the commands write follows them."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def run(
    command: Sequence[str], more: Mapping[str, str] | None = None, folder: str | None = None
) -> None:
    """Runs a command to its end. Raises InstallProblem where it fails or can't be started."""
    env = {**os.environ, **(more or {})}
    try:
        code = subprocess.run(command, env=env, cwd=folder, check=False).returncode
    except OSError as error:
        raise InstallProblem(f"{command[0]} can't be run: {error}") from None
    if code:
        raise InstallProblem(f"exit code {code} of: {shlex.join(command)}")


def patch(source: Path) -> None:
    """Unpacks the source anew and takes the XLA operations out of its list of files.

    A source tree serves for one build only: Horovod's CMake rewrites its copy of Gloo.
    Raises InstallProblem where the list has no such line.
    """
    with tarfile.open(source.with_name(f"{source.name}.tar.gz")) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(source.parent)
    listed = source / SOURCES
    lines = listed.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if XLA not in line]
    if len(kept) + 1 != len(lines):
        raise InstallProblem(f"{listed} names {XLA} {len(lines) - len(kept)} times, not once")
    listed.write_text("".join(kept), encoding="utf-8")


def check(python: str) -> None:
    """Has two workers average a number. Raises InstallProblem where they don't."""
    python = os.path.abspath(python)
    launcher = str(Path(python).with_name("horovodrun"))
    quiet = {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}
    with tempfile.TemporaryDirectory(prefix="distify-horovod-") as folder:
        run((launcher, "-np", "2", "--gloo", python, "-c", CHECK), quiet, folder)


def main(arguments: Sequence[str] | None = None) -> int:
    """Shows the commands, or runs them; gives the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("python", help="the Python that has TensorFlow, by its path")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--show", action="store_true", help="print the commands and run none")
    which.add_argument("--patch", action="store_true", help=argparse.SUPPRESS)
    which.add_argument("--check", action="store_true", help="check a Horovod that is there")
    chosen = parser.parse_args(arguments)
    try:
        if chosen.patch:
            patch(Path(chosen.python))
        elif chosen.check:
            check(chosen.python)
        elif chosen.show:
            tell("\n".join(step.shown() for step in steps(chosen.python, Path("horovod"))))
        else:
            install(os.path.abspath(chosen.python))
    except InstallProblem as problem:
        sys.stderr.write(f"distify: {problem}\n")
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
