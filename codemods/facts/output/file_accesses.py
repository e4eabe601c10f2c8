"""Calls that write or read a file: of which family they are, and of which path."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.words import table
from ...program.records import NamedTuple
from ..facts import Facts
from ..roles import Role
from ..training.pattern import Pattern, training_of
from .constant_paths import path
from .folders import is_private
from .images import is_saved
from .opened_files import RECORDS, is_plain_open, opened_to_write, writes_bytes
from .path_endings import says_it_writes
from .writing_methods import role

ANY = "any"  # asks for files of any family
FOLDER = "folder"  # what is gone from a folder
# What is written by one call of a family is read by another call of the same family.
_WRITERS = {
    "model": table("""
tensorflow.keras.models: save_model
tensorflow.keras.saving: save_model
tensorflow.saved_model: save
"""),
    "array": table("numpy: save savez savez_compressed savetxt"),
    "object": table("pickle: dump\njoblib: dump\njson: dump\ncloudpickle: dump\ndill: dump"),
    "text": table("tensorflow.io: write_file\nnumpy: savetxt"),
    "image": table("""
tensorflow.keras.utils: save_img
tensorflow.keras.preprocessing.image: save_img
matplotlib.pyplot: savefig imsave
cv2: imwrite
imageio: imsave imwrite
imageio.v2: imsave imwrite
imageio.v3: imwrite
skimage.io: imsave
scipy.misc: imsave
"""),
    FOLDER: table("os: remove rename replace rmdir unlink\nshutil: move rmtree"),
}
_READERS = {
    "model": table("""
tensorflow.keras.models: load_model
tensorflow.keras.saving: load_model
tensorflow.saved_model: load
"""),
    "checkpoint": table("tensorflow.train: CheckpointManager load_checkpoint"),  # it looks around
    "array": table("numpy: fromfile load loadtxt genfromtxt memmap"),
    "object": table("pickle: load\njoblib: load\njson: load\ncloudpickle: load\ndill: load"),
    "text": table("""
tensorflow.io: read_file
tensorflow.data: TextLineDataset
tensorflow.data.experimental: make_csv_dataset CsvDataset
numpy: loadtxt genfromtxt
pandas: read_csv read_excel read_feather read_hdf read_json read_parquet read_pickle read_table
"""),
    "image": table("""
tensorflow.io: read_file
tensorflow.keras.utils: load_img
tensorflow.keras.preprocessing.image: load_img
matplotlib.pyplot: imread
cv2: imread
imageio: imread mimread
imageio.v2: imread mimread
imageio.v3: imread
skimage.io: imread
scipy.misc: imread
PIL.Image: open
"""),
    "record": table("tensorflow.data: TFRecordDataset"),
    ANY: table("""
os: listdir scandir stat walk
os.path: getsize getmtime
glob: glob iglob
tensorflow.data.Dataset: list_files load
tensorflow.data.experimental: load
tensorflow.io.gfile: glob listdir walk
tensorflow.keras.utils: audio_dataset_from_directory image_dataset_from_directory
  text_dataset_from_directory
tensorflow.keras.preprocessing: image_dataset_from_directory text_dataset_from_directory
tensorflow.train: latest_checkpoint get_checkpoint_state
tensorflow.compat.v1.train: latest_checkpoint get_checkpoint_state
"""),
}
_WRITING_METHODS = {
    Role.MODEL: ("model", frozenset({"save", "save_weights", "export"})),
    Role.CHECKPOINT: ("checkpoint", frozenset({"save", "write"})),
    Role.MANAGER: ("checkpoint", frozenset({"save"})),
}
_READING_METHODS = {
    Role.MODEL: ("model", frozenset({"load_weights"})),
    Role.CHECKPOINT: ("checkpoint", frozenset({"restore", "read"})),
    Role.MANAGER: ("checkpoint", frozenset({"restore_or_initialize"})),
}
_TABLES = ("to_csv", "to_excel", "to_feather", "to_hdf", "to_parquet", "to_pickle")
_WRITE = {**dict.fromkeys(_TABLES, "text"), "tofile": "array", "write_text": "text"}
_READ = {"flow_from_directory": ANY}
_BYTES = ("object", "text", "array", "image", "model")  # whatever was downloaded
SAVES_MODEL = _WRITERS["model"]
MODEL_CHECKPOINT = "tensorflow.keras.callbacks.ModelCheckpoint"


class Access(NamedTuple):
    """One call that writes or reads a file of a family; `path` if it is written out."""

    family: str
    call: ast.Call
    path: object = None


def writes(facts: Facts) -> Iterator[Access]:
    """What is written and could be read again."""
    for call in facts.index.calls:
        if is_private(facts, call):
            continue
        families = _families(facts, call, _WRITERS, _WRITING_METHODS) or _of_opened(facts, call)
        families = families or (_BYTES if says_it_writes(facts, call) else ())
        yield from (Access(family, call, path(facts, call)) for family in families)
        if not families and facts.kind(call) == MODEL_CHECKPOINT:
            for fit, pattern in training_of(facts).places:
                if pattern is Pattern.KERAS:
                    yield Access("model", fit, path(facts, call))


def _of_opened(facts: Facts, call: ast.Call) -> tuple[str, ...]:
    """What may be put into a file that is opened here."""
    if facts.name(call.func) == RECORDS:
        return ("record",)
    if not is_plain_open(facts, call):
        return _BYTES if opened_to_write(facts, call) else ()
    return _BYTES if writes_bytes(facts, call) else ("object", "text")


def reads(facts: Facts) -> Iterator[Access]:
    """What is read, in the order of the text."""
    for call in sorted(facts.index.calls, key=in_text):
        families = _families(facts, call, _READERS, _READING_METHODS)
        yield from (Access(family, call, path(facts, call)) for family in families)


def in_text(call: ast.Call) -> tuple[int, int]:
    """Where a call stands in the text."""
    return call.lineno, call.col_offset


def _families(
    facts: Facts,
    call: ast.Call,
    names: dict[str, frozenset[str]],
    methods: dict[Role, tuple[str, frozenset[str]]],
) -> tuple[str, ...]:
    """The families of a call: numbers in a text file are an array, too."""
    name = facts.name(call.func)
    if name is not None:
        return tuple(family for family, known in names.items() if name in known)
    if not isinstance(call.func, ast.Attribute) or facts.callee(call) is not None:
        return ()
    family = _of_method(facts, call, call.func, methods)
    return () if family is None else (family,)


def _of_method(
    facts: Facts,
    call: ast.Call,
    func: ast.Attribute,
    methods: dict[Role, tuple[str, frozenset[str]]],
) -> str | None:
    by_name = _WRITE if methods is _WRITING_METHODS else _READ
    if func.attr in by_name:
        return by_name[func.attr]
    if func.attr in ("save_weights", "load_weights"):
        return "model" if func.attr in methods[Role.MODEL][1] else None
    found = role(facts, func.value)
    family, known = methods.get(found, ("", frozenset())) if found else ("", frozenset())
    if func.attr in known:
        return family
    is_save = methods is _WRITING_METHODS and func.attr == "save"
    return "image" if is_save and is_saved(facts, call, func.value) else None


def saves_whole_model(facts: Facts, call: ast.Call) -> bool:
    """Whether a model's own `save` is called."""
    func = call.func
    is_save = isinstance(func, ast.Attribute) and func.attr == "save"
    return is_save and role(facts, func.value) is Role.MODEL  # type: ignore[attr-defined]


def is_reader(facts: Facts, call: ast.Call) -> bool:
    """Whether it is known what kind of files the call reads."""
    return bool(_families(facts, call, _READERS, _READING_METHODS))
