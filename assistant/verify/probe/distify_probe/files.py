"""Hooks into all that writes files: Python's own audit events, and TensorFlow's and HDF5's C code.

The path that is told is the one that the program gave: what a checkpoint or a SavedModel consists
of is not told again.
"""

from __future__ import annotations

import builtins
import inspect
import io
import os
import sys
from types import ModuleType
from typing import Any, Callable

from . import imports, record, written

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
OTHERS = {"os.rename": 1, "os.link": 1, "os.symlink": 1, "sqlite3.connect": 0}  # path's position
REMOVES = ("os.remove", "os.rmdir", "shutil.rmtree")
TEMPORARY = ("tempfile.mkstemp", "tempfile.mkdtemp")
KERAS = ("keras", "keras.src", "tf_keras", "tf_keras.src", "tensorflow.python.keras")


def audit(event: str, args: tuple[Any, ...]) -> None:
    """Called by Python for every event: so the frequent ones are told apart first."""
    if event == "open":
        path, _, flags = args
        if flags & WRITES and not isinstance(path, int) and not _is_temporary():
            written.note(path, "open")
    elif event in OTHERS:
        written.note(args[OTHERS[event]], "open")
    elif event in REMOVES:
        if not _is_temporary():
            written.removed(args[0])
    elif event in TEMPORARY:
        written.made_for_itself(args[0])


def _is_temporary() -> bool:
    """Python's own module makes a file whose name nobody else knows, or none at all."""
    return bool(sys._getframe(2).f_globals.get("__name__") == "tempfile")


def tell(owner: Any, name: str, argument: str, how: str, writes: Any = None) -> None:
    """Tells the `argument` of each call of `owner.name`, or what `writes(arguments)` says."""
    if not hasattr(owner, name):
        return  # not in this version
    signature = inspect.signature(getattr(owner, name))

    def around(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        with record.blind_on_failure("writes"):
            given = signature.bind(*args, **kwargs)
            given.apply_defaults()
            path = given.arguments[argument] if writes is None else writes(given.arguments)
            if path is not None:
                written.note(_read(path), how)
        with written.muted():
            return original(*args, **kwargs)

    imports.replace(owner, name, around)


def _read(path: Any) -> Any:
    """A path may come as an eager tensor; one of a graph has no value yet."""
    value = path.numpy() if hasattr(path, "numpy") else path
    return value.item() if hasattr(value, "item") else value


def hook(module: str, name: str, argument: str, how: str, writes: Any = None) -> None:
    """The same, once a module is imported; `name` may be `Class.method`."""

    @imports.when_imported(module)
    def when(module: ModuleType) -> None:
        owner: Any = module
        *owners, last = name.split(".")
        for each in owners:
            owner = getattr(owner, each, None)
        if owner is not None:
            tell(owner, last, argument, how, writes)


def _directory(arguments: Any) -> Any:
    return arguments["self"]._directory


def _opened_for_writing(arguments: Any) -> Any:
    return None if (arguments["mode"] or "r") == "r" else arguments["name"]


def _cache_file(arguments: Any) -> Any:
    return arguments["filename"] or None


_IO = "tensorflow.python.lib.io"
_TRAIN = "tensorflow.python.checkpoint"
_DATA = "tensorflow.python.data.ops.dataset_ops"
hook(f"{_IO}.file_io", "atomic_write_string_to_file", "filename", "tensorflow")
hook(f"{_IO}.file_io", "rename_v2", "dst", "tensorflow")
hook(f"{_IO}.file_io", "copy_v2", "dst", "tensorflow")
hook(f"{_IO}.tf_record", "TFRecordWriter.__init__", "path", "records")
for _class in ("Checkpoint", "CheckpointV1"):
    for _method in ("save", "write"):
        hook(f"{_TRAIN}.checkpoint", f"{_class}.{_method}", "file_prefix", "checkpoint")
hook(f"{_TRAIN}.checkpoint_management", "CheckpointManager.save", "self", "checkpoint", _directory)
hook("tensorflow.python.training.saver", "Saver.save", "save_path", "checkpoint")
hook("tensorflow.python.ops.summary_ops_v2", "create_file_writer_v2", "logdir", "summary")
hook("tensorflow.python.summary.writer.writer", "FileWriter.__init__", "logdir", "summary")
hook("tensorflow.python.saved_model.save", "save_and_return_nodes", "export_dir", "tensorflow")
hook("tensorflow.python.ops.gen_io_ops", "write_file", "filename", "tensorflow")
hook(_DATA, "DatasetV2.cache", "filename", "tensorflow", _cache_file)
hook(_DATA, "DatasetV2.save", "path", "tensorflow")
hook(_DATA, "DatasetV2.snapshot", "path", "tensorflow")
hook("h5py._hl.files", "File.__init__", "name", "hdf5", _opened_for_writing)
hook("urllib.request", "urlretrieve", "filename", "download")
for _keras in KERAS:
    for _module in ("data_utils", "file_utils"):
        hook(f"{_keras}.utils.{_module}", "urlretrieve", "filename", "download")
    hook(f"{_keras}.saving.saving_lib", "save_model", "filepath", "tensorflow")
    hook(f"{_keras}.saving.saving_api", "save_model", "filepath", "tensorflow")


@imports.when_imported(f"{_IO}.file_io")
def hook_files(module: ModuleType) -> None:
    """`tf.io.gfile.GFile` opens a file when it is first written."""
    imports.replace(module.FileIO, "_prewrite_check", _around_first_write)


def _around_first_write(original: Callable[..., Any], file: Any) -> None:
    opened = getattr(file, "_writable_file", None) is not None
    original(file)
    if not opened:
        written.note(file.name, "tensorflow")


def _around_open(
    original: Callable[..., Any], file: Any, mode: str = "r", *args: Any, **kwargs: Any
) -> Any:
    if not isinstance(file, int) and set("wax+").intersection(mode):
        written.note(file, "open")
    return original(file, mode, *args, **kwargs)


if hasattr(sys, "addaudithook"):
    sys.addaudithook(audit)
else:  # Python 3.7
    imports.replace(builtins, "open", _around_open)
    imports.replace(io, "open", _around_open)
