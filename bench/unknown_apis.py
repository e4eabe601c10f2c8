"""Public names of the installed TensorFlow, Keras, NumPy and pandas that no row of library knows.

Where a row matters: what writes, reads, opens or removes files, callbacks, optimizers and
schedules, what draws numbers, what makes data sets. A new release of Keras shows as a list. It is
run in the Python that trains; the libraries are asked for their names, and nothing is called.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Callable, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from distify.codemods.library import (
    agreement,
    call_results,
    callbacks,
    downloads,
    file_effects,
    file_rows,
    optimizers,
)


class Subject(NamedTuple):
    """The members of a module whose names say that a row is due, and who knows such a row."""

    module: str
    names: str
    knows: Callable[[str], object]


def knows_file(name: str) -> bool:
    """Whether a row says what it does to files, or that it doesn't."""
    asked = (
        *(file_effects.file_calls, file_effects.opener, file_effects.writes_out),
        *(file_effects.kinds_read, downloads.download, call_results.gives),
        file_effects.only_names_paths,
    )
    by_name = file_effects.asks_for_existence(name, is_method=False)
    return by_name or any(ask(name) for ask in asked)


def knows_method(name: str) -> bool:
    """Whether a row, or its name alone, says what a method does to files."""
    method = name.rpartition(".")[2]
    return file_effects.method(method, frozenset()) is not None or file_rows.may_write(method)


def knows_callback(name: str) -> bool:
    """Whether a callback has a row."""
    return callbacks.member(name) in callbacks.NAMES


def knows_rate(name: str) -> bool:
    """Whether it is known where an optimizer, or a schedule, has its rate."""
    rate = optimizers.optimizer_rate(name) or optimizers.optimizer_rate(name, is_keras_3=True)
    return rate is not None or bool(optimizers.schedule_rates(name))


_TOUCHES = (
    r"(?:save|load|write|read|dump|export|open|from_?file|to_?file|get_file|.*_from_directory)"
)
SUBJECTS = (
    Subject("tensorflow.keras.callbacks", r"[A-Z]\w*", knows_callback),
    Subject("tensorflow.keras.optimizers", r"(?!Optimizer$)[A-Z]\w*", knows_rate),
    Subject("tensorflow.keras.optimizers.schedules", r"(?!LearningRate)[A-Z]\w*", knows_rate),
    Subject("tensorflow.keras.utils", rf"{_TOUCHES}\w*|plot_\w+", knows_file),
    Subject("tensorflow.keras.models", rf"{_TOUCHES}\w*", knows_file),
    Subject("tensorflow.keras.saving", rf"{_TOUCHES}\w*", knows_file),
    Subject("tensorflow.io", rf"{_TOUCHES}\w*", knows_file),
    Subject("tensorflow.io.gfile", r"\w+", knows_file),
    Subject("tensorflow.saved_model", rf"{_TOUCHES}\w*", knows_file),
    Subject("tensorflow.data", r"[A-Z]\w*Dataset", call_results.gives),
    Subject("tensorflow.random", r"[a-z]\w*", agreement.gives),
    Subject("numpy", rf"{_TOUCHES}\w*|memmap", knows_file),
    Subject("numpy.random", r"[a-z]\w*", agreement.gives),
    Subject("pandas", r"read_\w+|HDFStore|ExcelWriter", knows_file),
    Subject(
        "pandas.DataFrame", r"to_(?!dict|numpy|period|records|timestamp|xarray)\w+", knows_method
    ),
)


def members(module: str) -> list[str]:
    """The public names of an installed module, or of a class; none where it isn't installed."""
    parts = module.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:length]))
        except ImportError:
            continue
        for part in parts[length:]:
            found = getattr(found, part, None)
        return [name for name in dir(found) if not name.startswith("_")]
    return []


def unknown(subject: Subject, names: list[str]) -> Iterator[str]:
    """The full names, of these members, that no row knows though they say that one is due."""
    for name in names:
        full = f"{subject.module}.{name}"
        if re.fullmatch(subject.names, name) and not subject.knows(full):
            yield full


def main() -> None:
    """Print what no row knows, by module."""
    for subject in SUBJECTS:
        names = members(subject.module)
        if not names:
            print(f"{subject.module} is not installed here")
        for name in unknown(subject, names):
            print(name)


if __name__ == "__main__":
    main()
