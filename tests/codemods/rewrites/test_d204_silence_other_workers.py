"""What is opened once has a silent stand-in on the other workers."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Options

IMPORTS = "import os\nimport numpy as np\nimport tensorflow as tf\n"
FIT = """
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(np.ones((8, 4)), np.ones((8, 1)))
"""


def migrated(text: str) -> str:
    return migrate(text, Options(unsound=True, width=88, select=frozenset({"D204"}))).after


def behind(lines: str) -> str:
    """What becomes of lines behind the training."""
    after = migrated(IMPORTS + FIT + lines)
    return after[after.index(FIT) + len(FIT) :]


CHANGED = {
    "a summary writer": (
        'w = tf.summary.create_file_writer("l")\n',
        "w = (\n"
        '    tf.summary.create_file_writer("l")\n'
        "    if hvd.rank() == 0\n"
        "    else tf.summary.create_noop_writer()\n"
        ")\n",
    ),
    "a summary writer over several lines": (
        'writer = tf.summary.create_file_writer(\n    d + "l"\n)\n'
        'v = tf.summary.create_file_writer(d +\n                                  "v")  # tests\n',
        "writer = (\n"
        '    tf.summary.create_file_writer(\n        d + "l"\n    )\n'
        "    if hvd.rank() == 0\n"
        "    else tf.summary.create_noop_writer()\n"
        ")\n"
        "v = (\n"
        '    tf.summary.create_file_writer(d +\n                                  "v")\n'
        "    if hvd.rank() == 0\n"
        "    else tf.summary.create_noop_writer()\n"
        ")  # tests\n",
    ),
    "a log file": (
        'log = open("a.txt", "w")\nuse(log)\n',
        'log = open("a.txt" if hvd.rank() == 0 else os.devnull, "w")\nuse(log)\n',
    ),
    "a file for more than writing": (
        'with open(name, mode="a") as log:\n    run(log)\n',
        'with open(name if hvd.rank() == 0 else os.devnull, mode="a") as log:\n    run(log)\n',
    ),
    "a file that is logged to": (
        'import logging\nlogging.getLogger().addHandler(logging.FileHandler("a.log", mode="w"))\n',
        "import logging\n"
        "logging.getLogger().addHandler(\n"
        '    logging.FileHandler("a.log" if hvd.rank() == 0 else os.devnull, mode="w")\n'
        ")\n",
    ),
    "the file that all is logged to": (
        'import logging\nlogging.basicConfig(level=logging.INFO, filename=os.path.join(d, "a.log"))\n',
        "import logging\n"
        "logging.basicConfig(\n"
        "    level=logging.INFO,\n"
        '    filename=os.path.join(d, "a.log") if hvd.rank() == 0 else os.devnull,\n'
        ")\n",
    ),
    "records": (
        'with tf.io.TFRecordWriter(name, "GZIP") as file:\n    file.write(next(rows))\n',
        'with tf.io.TFRecordWriter(name if hvd.rank() == 0 else os.devnull, "GZIP") as file:\n'
        "    file.write(next(rows))\n",
    ),
    "a path that takes an effect to find": (
        'log = open(new(), "w")\nuse(log)\n',
        'path = new()\nlog = open(path if hvd.rank() == 0 else os.devnull, "w")\nuse(log)\n',
    ),
    "progress bars": (
        "from tqdm import tqdm, trange\nx = tqdm(rows)\ny = trange(9, leave=False)\n",
        "from tqdm import tqdm, trange\n"
        "x = tqdm(rows, disable=hvd.rank() != 0)\n"
        "y = trange(9, leave=False, disable=hvd.rank() != 0)\n",
    ),
    "the bar of Keras": (
        "bar = tf.keras.utils.Progbar(9)\n",
        "bar = tf.keras.utils.Progbar(9, verbose=1 if hvd.rank() == 0 else 0)\n",
    ),
    "the bar of Keras, with a level": (
        "bar = tf.keras.utils.Progbar(9, 30, level)\n",
        "bar = tf.keras.utils.Progbar(9, 30, level if hvd.rank() == 0 else 0)\n",
    ),
    "folders": (
        'if not os.path.exists("d"):\n    os.makedirs("d")\n',
        'os.makedirs("d", exist_ok=True)\n',
    ),
    "folders by a test over one line, with a comment": (
        'f()\n# of all runs\nif not os.path.exists(d + "x"): os.makedirs(d + "x")  # made\ng()\n',
        'f()\n# of all runs\nos.makedirs(d + "x", exist_ok=True)  # made\ng()\n',
    ),
    "folders with a comment at the test": (
        'if not os.path.exists("d"):  # new\n    os.makedirs("d")\n',
        '# new\nos.makedirs("d", exist_ok=True)\n',
    ),
    "folders of another path than was asked for": (
        'if not os.path.exists("d"):\n    os.makedirs("d/e")\n',
        'if not os.path.exists("d"):\n    os.makedirs("d/e", exist_ok=True)\n',
    ),
    "folders by a path that changes": (
        "if not os.path.exists(next(p)):\n    os.makedirs(next(p))\n",
        "if not os.path.exists(next(p)):\n    os.makedirs(next(p), exist_ok=True)\n",
    ),
    "folders in place of a file": (
        'if not os.path.isfile("d"):\n    os.makedirs("d")\n',
        'if not os.path.isfile("d"):\n    os.makedirs("d", exist_ok=True)\n',
    ),
    "folders and something else": (
        'if not os.path.exists("d"):\n    a = 1\n    os.makedirs("d")\n',
        'if not os.path.exists("d"):\n    a = 1\n    os.makedirs("d", exist_ok=True)\n',
    ),
    "folders, or something else": (
        'if a:\n    b()\nelif not os.path.exists("d"):\n    os.makedirs("d")\n',
        'if a:\n    b()\nelif not os.path.exists("d"):\n    os.makedirs("d", exist_ok=True)\n',
    ),
    "a folder": (
        'if not os.path.isdir("mkdir"):\n    os.mkdir("mkdir")\n',
        'os.makedirs("mkdir", exist_ok=True)\n',
    ),
    "a folder of pathlib": (
        'import pathlib\nd = pathlib.Path("a") / "b"\nif not d.exists():\n    d.mkdir()\n',
        'import pathlib\nd = pathlib.Path("a") / "b"\nd.mkdir(exist_ok=True)\n',
    ),
}


@pytest.mark.parametrize("name", CHANGED)
def test_changed(name: str) -> None:
    before, after = CHANGED[name]
    assert behind(before) == after


UNCHANGED = (
    'text = open("a.txt").read()\n',
    'log = open("a.txt", "r+")\nuse(log)\n',
    'log = open("a.txt", "x")\nuse(log)\n',
    'log = open("a.txt", mode)\n',
    "import logging\nlogging.basicConfig(level=logging.INFO)\n",
    "import logging\nlogging.basicConfig(level=logging.INFO, filename=None)\n",
    'import logging\nh = logging.handlers.RotatingFileHandler("a.log")\n',
    "from tqdm import tqdm\nfor i in tqdm(rows, disable=quiet):\n    f(i)\n",
    'try:\n    os.makedirs("d")\nexcept OSError:\n    pass\n',
    'os.makedirs("d", exist_ok=True)\n',
    'if not server.exists("d"):\n    server.mkdir("d")\n',
    'w = other.create_file_writer("l")\n',
    "tqdm = len\nx = tqdm(rows)\n",
)


@pytest.mark.parametrize("lines", UNCHANGED)
def test_unchanged(lines: str) -> None:
    assert behind(lines) == lines


def test_the_head_of_a_loop_is_broken_where_it_got_too_long() -> None:
    loop = "for number, row in tqdm(enumerate(rows), total=len(rows), desc={}):\n    f(row)\n"
    after = behind("from tqdm import tqdm\n" + loop.format("'an epoch'"))
    assert after.endswith(
        "for number, row in tqdm(\n"
        "    enumerate(rows), total=len(rows), desc='an epoch', disable=hvd.rank() != 0\n"
        "):\n    f(row)\n"
    )
    short = "from tqdm import tqdm\nfor row in tqdm(rows, desc='an epoch'):\n    f(row)\n"
    assert behind(short) == short.replace("'):", "', disable=hvd.rank() != 0):")


def test_the_null_device_needs_os() -> None:
    text = (
        "import numpy as np\nimport tensorflow as tf\n" + FIT + 'log = open("a", "w")\nuse(log)\n'
    )
    assert migrated(text).startswith("import os\n\nimport horovod.tensorflow.keras as hvd\n")
    after = migrated("import sys\n\n" + text)
    assert after.startswith("import os\nimport sys\n\nimport horovod")
    after = migrated("import json\n\n" + text)
    assert after.startswith("import json\nimport os\n\nimport horovod")


def test_what_rank_zero_does_alone_needs_no_stand_in() -> None:
    lines = 'with open("a.txt", "w") as f:\n    f.write("done")\n'
    assert "devnull" not in behind(lines)


def test_os_stays_imported_when_its_last_use_goes() -> None:
    line = 'os.environ["CUDA_VISIBLE_DEVICES"] = "0"\n'
    after = migrate(IMPORTS + line + FIT + 'log = open("a", "w")\nuse(log)\n').after
    assert "CUDA" not in after
    assert after.startswith("import os\n")
