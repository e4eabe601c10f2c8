"""What calls do to files and folders, and which of their arguments is the path: one row an API.

Of an effect that many workers have at once on one path, nobody knows what is left of it:
torn files, or an error on all but the first.
"""

from __future__ import annotations

import re

from .downloads import ARCHIVES, download
from .downloads import KEPT as _KEPT
from .file_rows import (
    COMMAND,
    FETCH,
    KEPT,
    MAKE,
    READ,
    RECEIVER,
    REMOVE,
    RESULT,
    ROWS,
    TARGETS,
    WRITE,
    FileCall,
)
from .names import normal
from .words import table, words

_MOVES = table("""
os: rename renames replace
shutil: move
tensorflow.io.gfile: rename
""")
_KNOWN = {name: row for row, names in ROWS for name in names}
# They open a file, by a mode: its names and number, and the mode of who says nothing.
_OPENERS = {
    **dict.fromkeys(table("builtins: open\nio: open\ncodecs: open\nbz2: open"), ("r", 1)),
    **dict.fromkeys(table("gzip: open\nlzma: open\nh5py: File\nzipfile: ZipFile"), ("r", 1)),
    **dict.fromkeys(table("tarfile: open TarFile\ntensorflow.io.gfile: GFile"), ("r", 1)),
    **dict.fromkeys(table("tensorflow.gfile: GFile\npandas: HDFStore"), ("r", 1)),
    "tensorflow.io.TFRecordWriter": ("w", None),
    "numpy.memmap": ("r+", 2),
    **dict.fromkeys(
        table("cv2: VideoWriter\nimageio: get_writer\nimageio.v2: get_writer\npandas: ExcelWriter"),
        ("w", None),
    ),
}
WRITING_MODES = frozenset("wax+")
# Methods that nobody calls by another meaning, and those of what a `Path` is.
_METHODS: dict[str, FileCall] = {
    **dict.fromkeys(words("write_text write_bytes"), FileCall(WRITE, (), RECEIVER)),
    **dict.fromkeys(words("read_text read_bytes"), FileCall(READ, (), RECEIVER)),
    **dict.fromkeys(words("unlink rmdir"), FileCall(REMOVE, (), RECEIVER)),
    **dict.fromkeys(words("symlink_to hardlink_to"), FileCall(WRITE, (), RECEIVER)),
    **dict.fromkeys(
        words("save_weights savefig save_pretrained to_excel to_feather to_hdf to_parquet"),
        FileCall(WRITE, ("filepath", "fname", "save_directory", "path", "path_or_buf"), 0),
    ),
    **dict.fromkeys(
        words("to_csv to_pickle tofile"), FileCall(WRITE, ("path_or_buf", "path", "fid"), 0)
    ),
    "extractall": FileCall(FETCH, ("path",), 0),
    "load_weights": FileCall(READ, ("filepath",), 0),
    "flow_from_directory": FileCall(READ, ("directory",), 0),
}
_OF_PATHS: dict[str, FileCall] = {
    "mkdir": FileCall(MAKE, (), RECEIVER),
    **dict.fromkeys(words("rename replace"), FileCall(REMOVE, (), RECEIVER)),
    **dict.fromkeys(words("iterdir glob rglob"), FileCall(READ, (), RECEIVER)),
}
_OF_ARCHIVES = {"extract": FileCall(FETCH, ("path",), 1)}
# What models and checkpoints save by, and are read by.
_OF_MODELS = words("save export write")
_OF_CHECKPOINTS = words("restore read")
_SAVER = ".Saver"  # of TensorFlow 1: it is given the session first
MANAGER = "manager"
SAVED = frozenset({"model", "checkpoint", MANAGER})  # roles
_COMMANDS = table("""
os: system popen
subprocess: run call check_call check_output Popen getoutput getstatusoutput
""")
# What makes a place of a worker's own, and what is no file of a path at all.
_OWN = table("""
tempfile: mkdtemp mkstemp mktemp NamedTemporaryFile TemporaryFile TemporaryDirectory
uuid: uuid1 uuid4
os: getpid urandom
""")
_NO_PATH = table("""
io: BytesIO StringIO
sys: stdout stderr
""")
NOWHERE = frozenset({"os.devnull"})
JOINS = frozenset({"os.path.join", "pathlib.Path", "pathlib.PurePath", "pathlib.PosixPath"})
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
_NAMING = ("builtins.", "logging.", "os.environ", "os.mkdir", "os.makedirs", "os.path.", "pathlib.")


def only_names_paths(name: str) -> bool:
    """Whether a function that is given a path leaves the file alone."""
    return name.startswith(_NAMING)


def file_calls(name: str) -> tuple[FileCall, ...]:
    """What a function of that name does to files."""
    name = normal(name)
    if name in _COMMANDS:
        return (FileCall(COMMAND, ("args", "command", "cmd"), 0),)
    if download(name) == _KEPT:
        return (FileCall(KEPT, (), RESULT),)
    moved = (FileCall(WRITE, TARGETS, 1),) if name in _MOVES else ()
    return (*((_KNOWN[name],) if name in _KNOWN else ()), *moved)


def opener(name: str) -> tuple[str, int | None] | None:
    """The mode by which a function opens a file if nothing is said, and where one says it."""
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
