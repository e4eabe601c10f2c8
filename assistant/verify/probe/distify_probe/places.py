"""The user's own line that is being run, as `train.py:41`."""

from __future__ import annotations

import os
import sys
from types import FrameType

from . import setting

_HERE = os.path.dirname(os.path.abspath(__file__))
_LIBRARIES = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")
TENSORFLOW = f"{os.sep}tensorflow{os.sep}python{os.sep}"
GENERATED = "__autograph_generated_file"
_own: dict[str, bool] = {}


def is_the_users(filename: str) -> bool:
    """Whether a file belongs to the program: it lies beside or below the script."""
    known = _own.get(filename)
    if known is None:
        real = os.path.realpath(filename)
        inside = real.startswith(setting.ROOT + os.sep) and os.path.exists(real)
        known = inside and not any(part in real for part in _LIBRARIES)
        known = known and not real.startswith(_HERE)
        _own[filename] = known
    return known


def name(filename: str, line: int) -> str:
    """A place as the reports write it: relative to the folder of the script."""
    return f"{os.path.relpath(os.path.realpath(filename), setting.ROOT)}:{line}"


def where(frame: FrameType | None = None) -> str | None:
    """The innermost line of the program on the stack (of this thread, or below `frame`)."""
    here = frame is None
    frame = frame or sys._getframe(1)
    while frame is not None:
        if here and GENERATED in frame.f_code.co_filename:
            return _in_generated_code()
        if is_the_users(frame.f_code.co_filename):
            return name(frame.f_code.co_filename, frame.f_lineno)
        frame = frame.f_back
    return None


def _in_generated_code() -> str | None:
    """AutoGraph runs a rewritten copy of a function; TensorFlow knows which line it came from."""
    frames = sys.modules["tensorflow.python.util.tf_stack"].extract_stack()
    for frame in reversed(list(frames)):
        if is_the_users(frame.filename):
            return name(frame.filename, frame.lineno)
    return None


def generated_from() -> str | None:
    """The file that the generated code on top of the stack was made from."""
    for frame in reversed(list(sys.modules["tensorflow.python.util.tf_stack"].extract_stack())):
        file = str(frame.filename)
        if GENERATED not in file and TENSORFLOW not in file and not file.startswith(_HERE):
            return file
    return None


def chain(most: int = 8) -> list[str]:
    """The program's lines on the stack of this thread, the innermost first; none in a graph."""
    frame: FrameType | None = sys._getframe(1)
    found: list[str] = []
    while frame is not None and len(found) < most:
        if GENERATED in frame.f_code.co_filename:
            return []
        if is_the_users(frame.f_code.co_filename):
            found.append(name(frame.f_code.co_filename, frame.f_lineno))
        frame = frame.f_back
    return found


LOOPS = ("/engine/training.py", "/backend/tensorflow/trainer.py")  # of Keras 2 and 3


def applied_by() -> str:
    """Who calls the optimizer here: a `fit`, a `minimize` that the program calls, or itself."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if GENERATED in code.co_filename or is_the_users(code.co_filename):
            return "program"
        if code.co_filename.replace(os.sep, "/").endswith(LOOPS):
            return "fit"
        if code.co_name == "minimize":
            return "minimize"
        frame = frame.f_back
    return ""


def by_the_program(frame: FrameType | None) -> bool:
    """Whether the first frame outside of TensorFlow and the probe isn't another library's."""
    while frame is not None:
        file = frame.f_code.co_filename
        if GENERATED in file:
            return _is_the_programs(generated_from())
        if TENSORFLOW not in file and not file.startswith(_HERE):
            return _is_the_programs(file)
        frame = frame.f_back
    return False


def _is_the_programs(file: str | None) -> bool:
    return file is not None and f"{os.sep}site-packages{os.sep}" not in file
