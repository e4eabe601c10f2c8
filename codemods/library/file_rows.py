"""Functions that do something to a path: one row an API, by what they do and where the path is."""

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
KEEPING = frozenset({READ, KEPT, ENSURE})  # they change nothing that somebody else may use
RECEIVER, RESULT = -1, -2  # the path is what a method is called on, or what the call gives


class FileCall(NamedTuple):
    """What a call does to the path that an argument (its names, its number) is."""

    effect: str
    names: tuple[str, ...]
    at: int = 0


PATH_NAMES = ("file", "filename", "fname", "path", "filepath", "fp", "uri", "fid", "out", "to_file")
TARGETS = ("dst", "dest", "target", "new_path", "newpath", "new_name", "extract_dir", "output")
ROWS: tuple[tuple[FileCall, frozenset[str]], ...] = (
    (
        FileCall(WRITE, PATH_NAMES, 0),
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
        FileCall(WRITE, PATH_NAMES, 1),
        table(f"""
{KERAS}.models: save_model
{KERAS}.saving: save_model
{KERAS}.utils: plot_model
tensorflow.saved_model: save
joblib: dump
torch: save
tensorflow_addons.callbacks: AverageModelCheckpoint
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
        FileCall(WRITE, TARGETS, 1),
        table("""
os: link symlink
shutil: copytree
"""),
    ),
    (
        FileCall(FETCH, TARGETS, 1),
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
        FileCall(READ, PATH_NAMES, 0),
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
tensorflow.data.Dataset: list_files load
tensorflow.data.experimental: CsvDataset load make_csv_dataset
tensorflow.saved_model: load
tensorflow.train: load_checkpoint latest_checkpoint get_checkpoint_state
tensorflow.compat.v1.train: load_checkpoint latest_checkpoint get_checkpoint_state
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

# Names by which outside code says that it writes, though no row names it: those that mean nothing
# else where they are given a text, and those that do where that ends like a file's name.
_SAVES = re.compile(r"(?:save|export|upload)(?:_\w+)?")
_MAY_WRITE = re.compile(
    r"dump|convert|from_keras|write_\w+|to_(?:file|disk|json|html|latex|xml|stata)"
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
