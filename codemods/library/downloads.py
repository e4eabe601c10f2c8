"""What downloads files to a place that all workers of a machine share: one row an API.

Keras' `get_file` (also behind `load_data` and the weights of `applications`) writes to the file's
own name from the first byte on: another worker takes half of it for all of it. The same of
`tfds.load`: tensorflow/datasets#1302. TensorFlow Hub (`atomic_download`) and Hugging Face
(`from_pretrained`, `load_dataset`) lock their caches themselves.
"""

from __future__ import annotations

import re

from .first_row import Rows
from .names import KERAS

# Who finds the file downloads nothing; or every call downloads it anew, maybe as a program does.
KEPT, WEIGHTS, ANEW, COMMAND = "kept", "weights", "anew", "command"
UNPACK_ARCHIVE = "shutil.unpack_archive"
_ROWS: tuple[tuple[str, str], ...] = (
    (KERAS + r"\.datasets\.\w+\.load_data$", KEPT),
    (KERAS + r"\.utils\.get_file$", KEPT),
    (KERAS + r"\.applications\.(?:\w+\.)?[A-Z]\w*$", WEIGHTS),
    (r"tensorflow\.(?:examples|contrib)\.[\w.]*\.(?:read_data_sets|load_dataset)$", KEPT),
    (r"input_data\.read_data_sets$", KEPT),  # the copy that tutorials of TensorFlow 1 have
    (r"tensorflow_datasets\.(?:load|data_source)$", KEPT),
    (r"sklearn\.datasets\.fetch_\w+$", KEPT),
    (r"seaborn\.load_dataset$", KEPT),
    (r"nltk\.download$", KEPT),
    (r"kagglehub\.\w+_download$", KEPT),
    (r"gdown\.cached_download$", KEPT),
    (r"gdown\.download(?:_folder)?$", ANEW),
    (r"wget\.download$", ANEW),
    (r"(?:six\.moves\.)?urllib\.(?:request\.)?urlretrieve$", ANEW),
    (UNPACK_ARCHIVE.replace(".", r"\.") + "$", ANEW),
    (r"os\.(?:system|popen)$", COMMAND),
    (r"subprocess\.(?:run|call|check_call|check_output|Popen|getoutput|getstatusoutput)$", COMMAND),
)
_DOWNLOADS = Rows(_ROWS)
_UNPACKING = re.compile(r"\b(?:unzip|unrar|gunzip|7z)\b|\btar\b['\", ]+-*\w*x")
_PROGRAMS = re.compile(r"\b(?:wget|curl|gdown|aria2c|kaggle|gsutil|aws s3)\b")
_INSTALLING = re.compile(r"\b(?:pip3?|conda|mamba|apt|apt-get|yum|dnf|apk|brew)\b")
# Where `weights` stands in the constructors of `applications`; second elsewhere.
_WEIGHTS_AT = {
    "MobileNet": 5, "MobileNetV2": 3, "MobileNetV3Small": 4, "MobileNetV3Large": 4,
    "NASNetLarge": 2, "NASNetMobile": 2,
}  # fmt: skip
# A method of this name is that of a builder of `tensorflow_datasets`.
BUILDS = "download_and_prepare"
# A method of this name is that of an archive (`zipfile`, `tarfile`, `py7zr`, `rarfile`).
UNPACKS, UNPACKS_ONE = "extractall", "extract"
ARCHIVES = frozenset({"zipfile.ZipFile", "zipfile.PyZipFile", "tarfile.open", "tarfile.TarFile"})
# `urlretrieve(url)` alone writes to a temporary file of its own.
TARGETS = {"urlretrieve": ("filename", 1)}
# Keras 2.15 extracts the archive again each time: all have to wait for who comes last.
EXTRACTS = (KERAS + ".utils.get_file", "extract", 7)
# Of what Keras fetches each worker has a copy of its own, which holds the same as the others'.
KERAS_COPIES = re.compile(KERAS + r"\.(?:datasets\.\w+\.load_data|utils\.get_file)$")


def download(canonical: str) -> str | None:
    """How a call of that name downloads, None where it doesn't."""
    return _DOWNLOADS.first(canonical)


def is_download_command(text: str) -> bool:
    """Whether a command line calls a program that downloads."""
    return _PROGRAMS.search(text) is not None


def is_for_machine(text: str) -> bool:
    """Whether a command line gets, or installs, what each machine has to have for itself."""
    return any(pattern.search(text) for pattern in (_PROGRAMS, _UNPACKING, _INSTALLING))


def is_unpacking_command(text: str) -> bool:
    """Whether a command line calls a program that unpacks an archive."""
    return _UNPACKING.search(text) is not None


def weights_at(canonical: str) -> int:
    """The number of the argument `weights` of such a model."""
    return _WEIGHTS_AT.get(canonical.rpartition(".")[2], 1)
