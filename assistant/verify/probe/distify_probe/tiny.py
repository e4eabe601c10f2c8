"""`--data tiny`: where a data set of `keras.datasets` isn't on this machine, small arrays take its
place, and the records say so.

Keras' own loaders run: they are given a file of the same form, so what they are asked for
(`num_words`, `maxlen`, `test_split`, …) is honoured. CIFAR's have fixed sizes, and are replaced.
"""

from __future__ import annotations

import gzip
import importlib
import json
import os
from types import ModuleType
from typing import Any, Callable

from . import imports, lengths, places, record, setting, synthetic, written

PACKAGES = ("keras.datasets", "keras.src.datasets", "tf_keras.src.datasets", "tf_keras.datasets",
            "tensorflow.python.keras.datasets")  # fmt: skip
SMALL, SMALL_TEST = 1024, 256
_said: set[str] = set()


def _is_here(name: str, folder: str = "datasets") -> bool:
    """Whether Keras would find a file in its cache."""
    homes = [os.environ.get("KERAS_HOME"), os.path.join(os.path.expanduser("~"), ".keras")]
    homes.append(os.path.join("/tmp", ".keras"))
    return any(os.path.exists(os.path.join(home, folder, name)) for home in homes if home)


def _sizes(train: int, test: int) -> tuple[int, int]:
    own = {n for n in (train, test, train - test, train + test) if n > SMALL}
    full = lengths.counts_on(own, SMALL, lengths.sources())
    return (train, test) if full else (min(train, SMALL), min(test, SMALL_TEST))


def _say(loader: str, examples: Any) -> None:
    if loader not in _said:
        _said.add(loader)
        record.write("tiny", loader=loader, examples=examples, where=places.where())


# ---------------------------------------------------------------- files in the forms of Keras


def _mnist(path: str) -> Any:
    train, test = _sizes(60_000, 10_000)
    x, y = synthetic.images(train, (28, 28), 10)
    x_test, y_test = synthetic.images(test, (28, 28), 10, first=1)
    return _npz(path, x_train=x, y_train=y, x_test=x_test, y_test=y_test)


def _fashion_mnist(path: str) -> Any:
    train, test = _sizes(60_000, 10_000)
    is_test, is_labels = "t10k" in path, "labels" in path
    x, y = synthetic.images(test if is_test else train, (28, 28), 10, first=2 + is_test)
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(bytes(8 if is_labels else 16) + (y if is_labels else x).tobytes())
    return [[train, 28, 28], [test, 28, 28]]


def _imdb(path: str) -> Any:
    if path.endswith(".json"):
        return _words(path)
    train, test = _sizes(25_000, 25_000)
    x, y = synthetic.texts(train, 2)
    x_test, y_test = synthetic.texts(test, 2, first=1)
    return _npz(path, x_train=x, y_train=y, x_test=x_test, y_test=y_test)


def _reuters(path: str) -> Any:
    if path.endswith(".json"):
        return _words(path)
    x, y = synthetic.texts(sum(_sizes(8_982, 2_246)), 46, first=2)
    return _npz(path, x=x, y=y)


def _boston_housing(path: str) -> Any:
    x, y = synthetic.prices(506, 13)
    return _npz(path, x=x, y=y)


def _california_housing(path: str) -> Any:
    x, y = synthetic.prices(20_640, 8)
    return _npz(path, x=x, y=y)


def _npz(path: str, **arrays: Any) -> list[list[int]]:
    np = importlib.import_module("numpy")

    with open(path, "wb") as file:
        np.savez(file, **arrays)
    return [list(array.shape) for name, array in arrays.items() if name.startswith("x")]


def _words(path: str) -> list[list[int]]:
    with open(path, "w", encoding="utf-8") as file:
        json.dump(synthetic.word_index(), file)
    return [[synthetic.WORDS]]


FILES: dict[str, Callable[[str], Any]] = {
    "mnist": _mnist,
    "fashion_mnist": _fashion_mnist,
    "imdb": _imdb,
    "reuters": _reuters,
    "boston_housing": _boston_housing,
    "california_housing": _california_housing,
}


def _get_file(loader: str, make: Callable[[str], Any]) -> Callable[..., Any]:
    def around(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        name = args[0] if args else kwargs["fname"]
        if _is_here(name, kwargs.get("cache_subdir", "datasets")):
            return original(*args, **kwargs)
        folder = record.path("data")
        path = os.path.join(folder, os.path.basename(name))
        with written.muted():
            os.makedirs(folder, exist_ok=True)
            examples = make(path)
        _say(f"{loader}.get_word_index" if path.endswith(".json") else loader, examples)
        return path

    return around


def _hook_file(loader: str, make: Callable[[str], Any]) -> None:
    @imports.when_imported(*(f"{package}.{loader}" for package in PACKAGES))
    def hook(module: ModuleType) -> None:
        if hasattr(module, "get_file"):  # else it only hands on the names of the real one
            imports.replace(module, "get_file", _get_file(loader, make))


# ---------------------------------------------------------------- CIFAR


def _hook_cifar(loader: str, folders: tuple[str, ...], classes: int) -> None:
    @imports.when_imported(*(f"{package}.{loader}" for package in PACKAGES))
    def hook(module: ModuleType) -> None:
        def around(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
            mode = args[0] if args else kwargs.get("label_mode", "fine")
            if any(map(_is_here, folders)) or mode not in ("fine", "coarse"):
                return original(*args, **kwargs)
            last = module.backend.image_data_format() == "channels_last"
            parts = _cifar(20 if mode == "coarse" else classes, last)
            _say(loader, [list(x.shape) for x, _ in parts])
            return parts

        if hasattr(module, "get_file"):
            imports.replace(module, "load_data", around)


def _cifar(classes: int, channels_last: bool) -> tuple[tuple[Any, Any], ...]:
    parts = []
    for number, count in enumerate(_sizes(50_000, 10_000)):
        x, y = synthetic.images(count, (32, 32, 3), classes, first=4 + number)
        parts.append((x if channels_last else x.transpose(0, 3, 1, 2), y.reshape(-1, 1)))
    return tuple(parts)


if setting.DATA == "tiny":
    for _loader, _make in FILES.items():
        _hook_file(_loader, _make)
    _hook_cifar("cifar10", ("cifar-10-batches-py", "cifar-10-batches-py-target"), 10)
    _hook_cifar("cifar100", ("cifar-100-python", "cifar-100-python-target"), 100)
