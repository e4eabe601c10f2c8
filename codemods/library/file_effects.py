"""What calls do to files and folders, and which of their arguments is the path: one row an API.

Of an effect that many workers have at once on one path, nobody knows what is left of it:
torn files, or an error on all but the first.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .downloads import ARCHIVES, download
from .downloads import KEPT as _KEPT
from .file_rows import (
    ANY,
    ARRAY,
    CHECKPOINT,
    COMMAND,
    COPIES,
    ENSURE,
    EVENTS,
    FETCH,
    FROM,
    INTO,
    KEPT,
    LATER,
    MAKE,
    MODEL,
    READ,
    RECEIVER,
    REMOVE,
    RESULT,
    ROWS,
    TARGETS,
    TEXT,
    TREES,
    WITHOUT_PATH,
    WRITE,
    FileCall,
)
from .names import normal
from .words import table, words

MOVES = table("""
os: rename renames replace
shutil: move
tensorflow.io.gfile: rename
""")
COPYING = COPIES | TREES
_KNOWN = {name: row for row, names in ROWS for name in names}
_WRITING = frozenset({WRITE, INTO, EVENTS, REMOVE})
_READING = frozenset({READ, FROM})


class Opener(NamedTuple):
    """How a call opens a file: the mode of who says nothing, and where one says it.

    What is opened by a stream is only written to, or only read; of a plain one that is written the
    null device can stand for the file.
    """

    mode: str
    at: int | None
    is_stream: bool = True
    is_plain: bool = False


RECORDS = "tensorflow.io.TFRecordWriter"  # its files are written from the start
PLAIN_OPENERS = table("builtins: open\nio: open\ncodecs: open\nbz2: open\ngzip: open\nlzma: open")
_OPENERS = {
    **dict.fromkeys(PLAIN_OPENERS, Opener("r", 1, is_plain=True)),
    **dict.fromkeys(
        table("""
h5py: File
netCDF4: Dataset
zipfile: ZipFile
tarfile: open
tensorflow.io.gfile: GFile
tensorflow.gfile: GFile
"""),
        Opener("r", 1),
    ),
    **dict.fromkeys(table("tarfile: TarFile\npandas: HDFStore"), Opener("r", 1, is_stream=False)),
    RECORDS: Opener("w", None, is_plain=True),
    "numpy.memmap": Opener("r+", 2, is_stream=False),
    "shelve.open": Opener("w", None, is_stream=False),
    **dict.fromkeys(  # pictures in a row, and tables
        table("""
cv2: VideoWriter
imageio: get_writer
imageio.v2: get_writer
pandas: ExcelWriter
xlsxwriter: Workbook
"""),
        Opener("w", None),
    ),
}
# By which a file that is open is written, those that give a part of it, and by which it is read.
PARTS_OF_FILES = words(
    """
    create_dataset create_group require_dataset require_group createGroup createVariable
    add_worksheet
    """
)
WRITES_OF_FILES = PARTS_OF_FILES | words(
    """
    add append_data close createDimension flush release setncattr sync write write_column write_row
    writeheader writelines writerow writerows writestr
    """
)
READS_OF_FILES = words("close peek read readline readlines")
ROW_WRITERS = table("csv: writer DictWriter")
WRITING_MODES = frozenset("wax+")
# Methods that nobody calls by another meaning, and those of what a `Path` is.
_SAVED_TO = ("filepath", "fname", "save_directory", "path", "path_or_buf")
_METHODS: dict[str, FileCall] = {
    "write_text": FileCall(WRITE, (), RECEIVER, (TEXT,)),
    "write_bytes": FileCall(WRITE, (), RECEIVER),
    **dict.fromkeys(words("read_text read_bytes"), FileCall(READ, (), RECEIVER)),
    **dict.fromkeys(words("unlink rmdir"), FileCall(REMOVE, (), RECEIVER)),
    **dict.fromkeys(words("symlink_to hardlink_to"), FileCall(WRITE, (), RECEIVER)),
    **dict.fromkeys(words("savefig save_pretrained"), FileCall(WRITE, _SAVED_TO, 0)),
    "save_weights": FileCall(WRITE, _SAVED_TO, 0, (MODEL,)),
    **dict.fromkeys(
        words("to_excel to_feather to_hdf to_orc to_parquet"),
        FileCall(WRITE, _SAVED_TO, 0, (TEXT,)),
    ),
    **dict.fromkeys(
        words("to_csv to_pickle"), FileCall(WRITE, ("path_or_buf", "path", "fid"), 0, (TEXT,))
    ),
    "tofile": FileCall(WRITE, ("path_or_buf", "path", "fid"), 0, (ARRAY,)),
    **dict.fromkeys(
        words("add_summary add_graph add_run_metadata to_sql to_iceberg to_clipboard"),
        FileCall(EVENTS, (), 0),
    ),
    "extractall": FileCall(FETCH, ("path",), 0),
    "load_weights": FileCall(READ, ("filepath",), 0, (MODEL,)),
    "flow_from_directory": FileCall(READ, ("directory",), 0, (ANY,)),
}
_OF_PATHS: dict[str, FileCall] = {
    "mkdir": FileCall(MAKE, (), RECEIVER),
    **dict.fromkeys(words("rename replace"), FileCall(REMOVE, (), RECEIVER)),
    **dict.fromkeys(words("iterdir glob rglob"), FileCall(READ, (), RECEIVER)),
}
MOVED_PATHS = frozenset(name for name, row in _OF_PATHS.items() if row.effect == REMOVE)
_OF_ARCHIVES = {"extract": FileCall(FETCH, ("path",), 1)}
# What models and checkpoints save by, and are read by.
_OF_MODELS = words("save export write")
_OF_CHECKPOINTS = words("restore read")
_SAVER = ".Saver"  # of TensorFlow 1: it is given the session first
MANAGER = "manager"
SAVED = frozenset({"model", "checkpoint", MANAGER})  # roles
# Of a writer of TensorFlow 1.
OF_EVENT_WRITERS = words(
    """
    add_event add_graph add_meta_graph add_run_metadata add_session_log add_summary close flush
    reopen add_scalar add_scalars add_image add_images add_histogram add_figure add_text add_hparams
    """
)
# What writes by a method, by the role of what has it; and what it writes, or reads by one.
_WRITING_BY_ROLE = {
    "model": words("summary save save_weights export"),
    "checkpoint": words("save write"),
    MANAGER: words("save"),
    "event writer": OF_EVENT_WRITERS,
    "supervisor": words("summary_computed"),
    "estimator": words("export_saved_model export_savedmodel"),
}
_KINDS_BY_ROLE = {
    WRITE: {
        "model": (MODEL, words("save save_weights export")),
        "checkpoint": (CHECKPOINT, words("save write")),
        MANAGER: (CHECKPOINT, words("save")),
    },
    READ: {
        "model": (MODEL, words("load_weights")),
        "checkpoint": (CHECKPOINT, words("restore read")),
        MANAGER: (CHECKPOINT, words("restore_or_initialize")),
    },
}
_COMMANDS = table("""
os: system popen
subprocess: run call check_call check_output Popen getoutput getstatusoutput
""")
# What makes a place of a worker's own, and what is no file of a path at all.
TEMPORARY = table("tempfile: mkdtemp mkstemp mktemp NamedTemporaryFile TemporaryDirectory")
_OWN = TEMPORARY | table("""
tempfile: TemporaryFile
uuid: uuid1 uuid4
os: getpid urandom
""")
_NO_PATH = table("""
io: BytesIO StringIO
sys: stdout stderr
""")
NOWHERE = frozenset({"os.devnull"})
JOINS = frozenset(
    {
        "os.path.join",
        "tensorflow.io.gfile.join",
        "pathlib.Path",
        "pathlib.PurePath",
        "pathlib.PosixPath",
    }
)
# They give the path that they get, or one that says as much.
SAME_PATH = table("""
os.path: abspath expanduser normpath realpath expandvars
os: fspath
builtins: str
""")
PATHS = frozenset({"pathlib.Path", "pathlib.PurePath", "pathlib.PosixPath"})
_EXISTENCE = table("""
os.path: exists isdir isfile lexists
tensorflow.io.gfile: exists isdir
""")
_ASKING = words("exists is_dir is_file")
# Folders that each machine has for itself.
_OF_MACHINE = re.compile(r"/(?:tmp|var/tmp|dev/shm)(?:/|$)")
# Arguments by which who comes too late meets no error.
LENIENT = words("exist_ok ignore_errors missing_ok")
EXIST_OK_AT = 2  # of `os.makedirs`
# Errors of who comes too late: whoever takes one has thought of it.
LATE = words("FileExistsError FileNotFoundError OSError IOError EnvironmentError Exception "
             "BaseException Error NotFoundError AlreadyExistsError")  # fmt: skip
# They compute with the text of a path, show it, or wait for nothing as it may not be there.
_NAMING = ("builtins.", "logging.", "os.environ", "os.mkdir", "os.makedirs", "os.path.", "pathlib.",
           "tensorflow.io.gfile.join", "tensorflow.io.gfile.get_registered_schemes")  # fmt: skip


def only_names_paths(name: str) -> bool:
    """Whether a function that is given a path leaves the file alone."""
    return name.startswith(_NAMING)


def file_calls(name: str) -> tuple[FileCall, ...]:
    """What a function of that name does to files whose paths it is given."""
    name = normal(name)
    if name in _COMMANDS:
        return (FileCall(COMMAND, ("args", "command", "cmd"), 0),)
    if download(name) == _KEPT:
        return (FileCall(KEPT, (), RESULT),)
    moved = (FileCall(WRITE, TARGETS, 1),) if name in MOVES else ()
    row = _KNOWN.get(name)
    if row is None or row.effect in WITHOUT_PATH:
        return moved
    return (row._replace(effect=WRITE) if row.effect == LATER else row, *moved)


def writes_out(name: str) -> bool:
    """Whether a function of that name writes, or takes away what was written, when it is called."""
    row = _KNOWN.get(normal(name))
    return row is not None and row.effect in _WRITING and name not in TREES


def makes_folder(name: str) -> bool:
    """Whether a function of that name makes a folder."""
    row = _KNOWN.get(normal(name))
    return row is not None and row.effect in (MAKE, ENSURE)


def kinds_written(name: str) -> tuple[str, ...]:
    """The kinds of files that a function of that name writes, or what it takes away."""
    row = _KNOWN.get(normal(name))
    return row.kinds if row is not None and row.effect in _WRITING else ()


def kinds_read(name: str) -> tuple[str, ...]:
    """The kinds of files that a function of that name reads."""
    row = _KNOWN.get(normal(name))
    return row.kinds if row is not None and row.effect in _READING else ()


def saves_model(name: str) -> bool:
    """Whether a function of that name saves the model that it is given."""
    return MODEL in kinds_written(name)


def opener(name: str) -> Opener | None:
    """How a function of that name opens a file, None where it opens none."""
    return _OPENERS.get(normal(name))


def method(name: str, makers: frozenset[str]) -> FileCall | None:
    """What a method of that name does, of what functions of these names, or roles, have made."""
    if name in _OF_PATHS and makers & PATHS:
        return _OF_PATHS[name]
    if name in _OF_ARCHIVES and makers & ARCHIVES:
        return _OF_ARCHIVES[name]
    at = int(any(made.endswith(_SAVER) for made in makers))
    if name in _OF_MODELS and makers & SAVED:
        return FileCall(WRITE, ("filepath", "file_prefix", "save_path", "path"), at)
    if name in _OF_CHECKPOINTS and makers & SAVED:
        return FileCall(READ, ("save_path", "path"), at)
    return _METHODS.get(name)


def writes_out_by(method: str) -> bool:
    """Whether a method of that name writes, or takes away what was written, whatever has it."""
    row = _METHODS.get(method)
    return row is not None and row.effect in _WRITING


def kinds_by(effect: str, method: str) -> tuple[str, ...]:
    """The kinds of files that a method of that name writes (WRITE), or reads (READ)."""
    row = _METHODS.get(method)
    return row.kinds if row is not None and row.effect == effect else ()


def writes_by_role(role: str, method: str) -> bool:
    """Whether a method of what has that role writes."""
    return method in _WRITING_BY_ROLE.get(role, ())


def kind_by_role(effect: str, role: str, method: str) -> str | None:
    """The kind of files that a method of what has that role writes (WRITE), or reads (READ)."""
    kind, methods = _KINDS_BY_ROLE[effect].get(role, (None, ()))
    return kind if method in methods else None


WRITING_METHODS = frozenset().union(*_WRITING_BY_ROLE.values())


def is_own_place(name: str) -> bool:
    """Whether what it gives is a name that no other worker has."""
    return name in _OWN


def is_no_path(name: str) -> bool:
    """Whether it is written to, and is no file."""
    return name in _NO_PATH


def asks_for_existence(name: str, is_method: bool) -> bool:
    """Whether it asks if a file or a folder is there."""
    return name in (_ASKING if is_method else _EXISTENCE)


def is_of_machine(path: str) -> bool:
    """Whether a path lies in a folder that each machine has for itself."""
    return _OF_MACHINE.match(path) is not None
