"""Reads the arrays that the probe saved, without NumPy, which distify's own Python may lack.

Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
"""

from __future__ import annotations

import ast
import math
import struct
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_MAGIC = b"\x93NUMPY"
_CODES = {"f2": "e", "f4": "f", "f8": "d", "i1": "b", "i2": "h", "i4": "i", "i8": "q"}
_CODES.update({"u1": "B", "u2": "H", "u4": "I", "u8": "Q", "b1": "?"})
_ORDERS = {"<": "<", ">": ">", "|": "<", "=": "="}
LARGEST = 2 << 30  # bytes of all arrays


class NoArrays(ValueError):
    """The file is no archive of arrays, or holds some that can't be read."""


@dataclass(frozen=True)
class Array:
    """Numbers in row order."""

    shape: tuple[int, ...]
    values: tuple[float, ...]


def load(path: Path) -> dict[str, Array]:
    """Every array of an `.npz` file, in the order of the file. Raises NoArrays."""
    try:
        if not path.is_file():  # a pipe would never give any
            raise NoArrays("no file")
        with zipfile.ZipFile(path) as archive:
            return dict(_arrays(archive))
    except (OSError, zipfile.BadZipFile, EOFError, RuntimeError, NotImplementedError) as error:
        raise NoArrays(str(error)) from None


def _arrays(archive: zipfile.ZipFile) -> Iterator[tuple[str, Array]]:
    room = LARGEST
    for info in archive.infolist():
        room -= info.file_size
        if room < 0:
            raise NoArrays(f"{info.filename} is too large")
        yield info.filename.removesuffix(".npy"), array(archive.read(info))


def array(data: bytes) -> Array:
    """One array from the bytes of an `.npy` file. Raises NoArrays."""
    try:
        if data[:6] != _MAGIC:
            raise NoArrays("no array")
        length = "<H" if data[6] == 1 else "<I"
        start = 8 + struct.calcsize(length)
        end = start + struct.unpack_from(length, data, 8)[0]
        header = ast.literal_eval(data[start:end].decode("latin-1").strip())
        return _numbers(data[end:], header["descr"], header["shape"], header["fortran_order"])
    except (struct.error, SyntaxError, KeyError, TypeError, IndexError, MemoryError) as error:
        raise NoArrays(f"no array: {error}") from None


def _numbers(data: bytes, kind: object, shape: tuple[int, ...], fortran: bool) -> Array:
    if not isinstance(kind, str) or kind[1:] not in _CODES or kind[0] not in _ORDERS:
        raise NoArrays(f"an array of {kind}")
    if fortran and len(shape) > 1:
        raise NoArrays("an array in column order")
    count = math.prod(shape)
    code = f"{_ORDERS[kind[0]]}{count}{_CODES[kind[1:]]}"
    return Array(tuple(shape), tuple(map(float, struct.unpack_from(code, data))))


def distance(one: Array, two: Array) -> float:
    """The largest difference of two values, as a share of their size where that is above 1."""
    if one.shape != two.shape:
        return math.inf
    pairs = zip(one.values, two.values)
    return max((_apart(a, b) for a, b in pairs), default=0.0)


def _apart(one: float, two: float) -> float:
    if one == two or (math.isnan(one) and math.isnan(two)):
        return 0.0
    if not (math.isfinite(one) and math.isfinite(two)):
        return math.inf
    return abs(one - two) / max(1.0, abs(one), abs(two))
