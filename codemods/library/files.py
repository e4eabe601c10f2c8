"""What calls do to files and folders, and which of their arguments is the path: one row an API.

Of an effect that many workers have at once on one path, nobody knows what is left of it:
torn files, or an error on all but the first.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .downloads import ARCHIVES, download
from .downloads import KEPT as _KEPT
from .names import KERAS, normal
from .words import table, words

# What a call does: it writes; writes the same bytes on whatever worker; takes away what was there;
# makes a folder that mustn't be there; reads; runs a command line;
# downloads what isn't there yet; makes a folder if it isn't there.
WRITE, FETCH, REMOVE, MAKE, READ, COMMAND = "write", "fetch", "remove", "make", "read", "command"
KEPT, ENSURE = "kept", "ensure"
KEEPING = frozenset({READ, KEPT, ENSURE})  # they change nothing that somebody else may use
RECEIVER, RESULT = -1, -2  # the path is what a method is called on, or what the call gives


class FileCall(NamedTuple):
    """What a call does to the path that an argument (its names, its number) is."""

    effect: str
    names: tuple[str, ...]
    at: int = 0


_PATHS = ("file", "filename", "fname", "path", "filepath", "fp", "uri", "fid", "out", "to_file")
_TARGETS = ("dst", "dest", "target", "new_path", "newpath", "new_name", "extract_dir", "output")
_ROWS: tuple[tuple[FileCall, frozenset[str]], ...] = (
    (
        FileCall(WRITE, _PATHS, 0),
        table(f"""
numpy: save savez savez_compressed savetxt
tensorflow.io: write_file
{KERAS}.utils: save_img
{KERAS}.preprocessing.image: save_img
matplotlib.pyplot: savefig imsave
pylab: savefig imsave
cv2: imwrite
imageio: imsave imwrite mimsave mimwrite
imageio.v2: imsave imwrite mimsave mimwrite
imageio.v3: imwrite
skimage.io: imsave
scipy.io: savemat
scipy.io.wavfile: write
soundfile: write
shelve: open
shutil: make_archive
os: mkfifo truncate
"""),
    ),
    (
        FileCall(WRITE, _PATHS, 1),
        table(f"""
{KERAS}.models: save_model
{KERAS}.saving: save_model
{KERAS}.utils: plot_model
tensorflow.saved_model: save
joblib: dump
torch: save
"""),
    ),
    (
        FileCall(REMOVE, ("path", "name", "src", "source", "old"), 0),
        table("""
os: remove unlink rmdir removedirs rename renames replace
shutil: rmtree move
tensorflow.io.gfile: remove rmtree rename
"""),
    ),
    (FileCall(MAKE, ("name", "path"), 0), table("os: makedirs mkdir\ntensorflow.io.gfile: mkdir")),
    (
        FileCall(ENSURE, ("path",), 0),
        table("tensorflow.io.gfile: makedirs\ntensorflow.gfile: MakeDirs"),
    ),
    (
        FileCall(WRITE, _TARGETS, 1),
        table("""
os: link symlink
shutil: copytree
"""),
    ),
    (
        FileCall(FETCH, _TARGETS, 1),
        table("""
shutil: copy copy2 copyfile unpack_archive
tensorflow.io.gfile: copy
"""),
    ),
    (
        FileCall(FETCH, ("filename", "out", "output"), 1),
        table("""
urllib.request: urlretrieve
six.moves.urllib.request: urlretrieve
urllib: urlretrieve
wget: download
gdown: download download_folder
"""),
    ),
    (
        FileCall(READ, _PATHS, 0),
        table(f"""
numpy: load loadtxt genfromtxt fromfile
pandas: read_csv read_json read_pickle read_parquet read_hdf read_excel read_feather read_table
{KERAS}.models: load_model
{KERAS}.saving: load_model
{KERAS}.utils: load_img image_dataset_from_directory text_dataset_from_directory
  audio_dataset_from_directory
{KERAS}.preprocessing: image_dataset_from_directory text_dataset_from_directory
{KERAS}.preprocessing.image: load_img
tensorflow.io: read_file
tensorflow.data: TFRecordDataset TextLineDataset
tensorflow.data.Dataset: list_files
tensorflow.data.experimental: CsvDataset make_csv_dataset
tensorflow.saved_model: load
tensorflow.train: load_checkpoint latest_checkpoint
tensorflow.io.gfile: glob listdir walk
os: listdir scandir walk stat chdir
os.path: getsize getmtime
glob: glob iglob
joblib: load
cv2: imread
imageio: imread mimread
imageio.v2: imread mimread
imageio.v3: imread
skimage.io: imread
PIL.Image: open
matplotlib.pyplot: imread
scipy.io: loadmat
scipy.io.wavfile: read
soundfile: read
"""),
    ),
)
_MOVES = table("""
os: rename renames replace
shutil: move
tensorflow.io.gfile: rename
""")
_KNOWN = {name: row for row, names in _ROWS for name in names}
# They open a file, by a mode: its names and number, and the mode of who says nothing.
_OPENERS = {
    **dict.fromkeys(table("builtins: open\nio: open\ncodecs: open\nbz2: open"), ("r", 1)),
    **dict.fromkeys(table("gzip: open\nlzma: open\nh5py: File\nzipfile: ZipFile"), ("r", 1)),
    **dict.fromkeys(table("tarfile: open TarFile\ntensorflow.io.gfile: GFile"), ("r", 1)),
    **dict.fromkeys(table("tensorflow.gfile: GFile\npandas: HDFStore"), ("r", 1)),
    "tensorflow.io.TFRecordWriter": ("w", None),
    "numpy.memmap": ("r+", 2),
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
# What models and checkpoints save by.
_OF_MODELS = words("save export write")
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


def file_calls(name: str) -> tuple[FileCall, ...]:
    """What a function of that name does to files."""
    name = normal(name)
    if name in _COMMANDS:
        return (FileCall(COMMAND, ("args", "command", "cmd"), 0),)
    if download(name) == _KEPT:
        return (FileCall(KEPT, (), RESULT),)
    moved = (FileCall(WRITE, _TARGETS, 1),) if name in _MOVES else ()
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
    if name in _OF_MODELS and makers & SAVED:
        return FileCall(WRITE, ("filepath", "file_prefix", "save_path", "path"), 0)
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
