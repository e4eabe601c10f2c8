"""Functions that do something to a path: one row an API, by what they do and where the path is.

Whoever asks about files asks these rows: which worker may make a call, what it writes and which
others read, what the judge proves of both.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .names import KERAS
from .words import table, words

# What a call does: it writes; writes the same bytes on whatever worker; takes away what was there;
# makes a folder that mustn't be there; reads; runs a command line;
# downloads what isn't there yet; makes a folder if it isn't there.
WRITE, FETCH, REMOVE, MAKE, READ, COMMAND = "write", "fetch", "remove", "make", "read", "command"
KEPT, ENSURE = "kept", "ensure"
# What it does without a path: it writes into a file that is open; reads one, or looks for files by
# itself; writes for a dashboard. Or it gives what writes to the path, later on.
INTO, FROM, EVENTS, LATER = "into", "from", "events", "later"
WITHOUT_PATH = frozenset({INTO, FROM, EVENTS})
KEEPING = frozenset({READ, KEPT, ENSURE})  # they change nothing that somebody else may use
RECEIVER, RESULT = -1, -2  # the path is what a method is called on, or what the call gives
# Which kind of file it is: what is written as one kind is read as the same. One of any kind; and
# what is gone from a folder.
MODEL, CHECKPOINT, ARRAY, OBJECT = "model", "checkpoint", "array", "object"
TEXT, IMAGE, RECORD, ANY, FOLDER = "text", "image", "record", "any", "folder"


class FileCall(NamedTuple):
    """What a call does to the path that an argument is (its names, its place), of which kind."""

    effect: str
    names: tuple[str, ...]
    at: int = 0
    kinds: tuple[str, ...] = ()


PATH_NAMES = ("file", "filename", "fname", "path", "filepath", "fp", "uri", "fid", "out", "to_file")
TARGETS = ("dst", "dest", "target", "new_path", "newpath", "new_name", "extract_dir", "output")
_GONE = ("path", "name", "src", "source", "old")
COPIES = table("shutil: copy copy2 copyfile\ntensorflow.io.gfile: copy")
TREES = table("shutil: copytree")
_IMAGES = table(f"""
{KERAS}.utils: save_img
{KERAS}.preprocessing.image: save_img
matplotlib.pyplot: savefig imsave
pylab: savefig imsave
cv2: imwrite
imageio: imsave imwrite mimsave mimwrite
imageio.v2: imsave imwrite mimsave mimwrite
imageio.v3: imwrite
skimage.io: imsave
scipy.misc: imsave
tifffile: imsave imwrite
""")
_FOLDERS_OF_EXAMPLES = table(f"""
{KERAS}.utils: image_dataset_from_directory text_dataset_from_directory
  audio_dataset_from_directory
{KERAS}.preprocessing: image_dataset_from_directory text_dataset_from_directory
""")
ROWS: tuple[tuple[FileCall, frozenset[str]], ...] = (
    (FileCall(WRITE, PATH_NAMES, 0, (ARRAY,)), table("numpy: save savez savez_compressed")),
    (FileCall(WRITE, PATH_NAMES, 0, (ARRAY, TEXT)), table("numpy: savetxt")),
    (FileCall(WRITE, PATH_NAMES, 0, (TEXT,)), table("tensorflow.io: write_file")),
    (FileCall(WRITE, PATH_NAMES, 0, (IMAGE,)), _IMAGES),
    (
        FileCall(WRITE, PATH_NAMES, 0),
        table("""
scipy.io: savemat
scipy.io.wavfile: write
soundfile: write
ase.io: write
shutil: make_archive
os: mkfifo truncate
"""),
    ),
    (
        FileCall(WRITE, PATH_NAMES, 1, (MODEL,)),
        table(f"""
{KERAS}.models: save_model
{KERAS}.saving: save_model
tensorflow.saved_model: save
"""),
    ),
    (FileCall(WRITE, PATH_NAMES, 1, (OBJECT,)), table("joblib: dump")),
    (FileCall(WRITE, PATH_NAMES, 1), table(f"{KERAS}.utils: plot_model\ntorch: save")),
    (FileCall(LATER, PATH_NAMES, 1), table("tensorflow_addons.callbacks: AverageModelCheckpoint")),
    (
        FileCall(INTO, ("file", "fp"), 1, (OBJECT,)),
        table("pickle: dump\njson: dump\ncloudpickle: dump\ndill: dump"),
    ),
    (
        FileCall(EVENTS, (), 0),
        table("""
tensorflow.io: write_graph
tensorflow.train: write_graph SummaryWriter
tensorflow.compat.v1.train: write_graph
tensorflow.summary: FileWriter trace_on trace_off trace_export
tensorflow.profiler.experimental: start stop
torch.utils.tensorboard: SummaryWriter
torch.utils.tensorboard.writer: SummaryWriter
"""),
    ),
    (
        FileCall(REMOVE, _GONE, 0, (FOLDER,)),
        table("os: remove unlink rmdir rename replace\nshutil: rmtree move"),
    ),
    (
        FileCall(REMOVE, _GONE, 0),
        table("""
os: removedirs renames
tensorflow.io.gfile: remove rmtree rename
tensorflow.gfile: DeleteRecursively Remove Rename
"""),
    ),
    (FileCall(MAKE, ("name", "path"), 0), table("os: makedirs mkdir\ntensorflow.io.gfile: mkdir")),
    (
        FileCall(ENSURE, ("path",), 0),
        table("tensorflow.io.gfile: makedirs\ntensorflow.gfile: MakeDirs"),
    ),
    (FileCall(WRITE, TARGETS, 1), table("os: link symlink")),
    (FileCall(WRITE, TARGETS, 1), TREES),
    (FileCall(FETCH, TARGETS, 1), COPIES | table("shutil: unpack_archive")),
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
    (FileCall(READ, PATH_NAMES, 0, (ARRAY,)), table("numpy: load fromfile")),
    (FileCall(READ, PATH_NAMES, 0, (ARRAY, TEXT)), table("numpy: loadtxt genfromtxt")),
    (
        FileCall(READ, PATH_NAMES, 0, (TEXT,)),
        table("""
pandas: read_csv read_json read_pickle read_parquet read_hdf read_excel read_feather read_table
tensorflow.data: TextLineDataset
tensorflow.data.experimental: CsvDataset make_csv_dataset
"""),
    ),
    (FileCall(READ, PATH_NAMES, 0, (TEXT, IMAGE)), table("tensorflow.io: read_file")),
    (
        FileCall(READ, PATH_NAMES, 0, (IMAGE,)),
        table(f"""
{KERAS}.utils: load_img
{KERAS}.preprocessing.image: load_img
matplotlib.pyplot: imread
cv2: imread
imageio: imread mimread
imageio.v2: imread mimread
imageio.v3: imread
skimage.io: imread
scipy.misc: imread
tifffile: imread
PIL.Image: open
"""),
    ),
    (
        FileCall(READ, PATH_NAMES, 0, (MODEL,)),
        table(f"""
{KERAS}.models: load_model
{KERAS}.saving: load_model
tensorflow.saved_model: load
"""),
    ),
    (
        FileCall(READ, PATH_NAMES, 0, (CHECKPOINT,)),
        table("tensorflow.train: load_checkpoint\ntensorflow.compat.v1.train: load_checkpoint"),
    ),
    (FileCall(READ, PATH_NAMES, 0, (OBJECT,)), table("joblib: load")),
    (FileCall(READ, PATH_NAMES, 0, (RECORD,)), table("tensorflow.data: TFRecordDataset")),
    (
        FileCall(READ, PATH_NAMES, 0, (ANY,)),
        table("""
os: listdir scandir walk stat
os.path: getsize getmtime
glob: glob iglob
tensorflow.data.Dataset: list_files load
tensorflow.data.experimental: load
tensorflow.io.gfile: glob listdir stat walk
tensorflow.train: latest_checkpoint get_checkpoint_state
tensorflow.compat.v1.train: latest_checkpoint get_checkpoint_state
""")
        | _FOLDERS_OF_EXAMPLES,
    ),
    (
        FileCall(READ, PATH_NAMES, 0),
        table("""
os: chdir
scipy.io: loadmat
scipy.io.wavfile: read
soundfile: read
ase.io: read
"""),
    ),
    (FileCall(FROM, (), 0, (ARRAY,)), table("numpy: memmap")),
    (FileCall(FROM, (), 0, (CHECKPOINT,)), table("tensorflow.train: CheckpointManager")),
    (
        FileCall(FROM, (), 0, (OBJECT,)),
        table("pickle: load\njson: load\ncloudpickle: load\ndill: load"),
    ),
)

# Names by which outside code says that it writes, though no row names it: those that mean nothing
# else where they are given a text, and those that do where that ends like a file's name.
_SAVES = re.compile(r"(?:save|export|upload)(?:_\w+)?")
_MAY_WRITE = re.compile(
    r"dump|convert|from_keras|write_\w+|to_(?:file|disk|json|html|latex|markdown|string|xml|stata)"
)
_FILE = re.compile(r"\.[A-Za-z]\w{0,7}$")
# Methods that hand files over to a place that all workers share.
SENDING = words("add_file add_dir upload_file upload_folder upload_from_filename")


def may_write(word: str) -> bool:
    """Whether a function or a method of that name, of outside code, may write a file."""
    return _SAVES.fullmatch(word) is not None or _MAY_WRITE.fullmatch(word) is not None


def says_where(word: str, text: str) -> bool:
    """Whether a text, or the end of one, is where it is written to."""
    return _SAVES.fullmatch(word) is not None or _FILE.search(text) is not None
