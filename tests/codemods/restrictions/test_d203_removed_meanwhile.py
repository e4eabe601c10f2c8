"""What rank 0 removes: nobody lists the folder too early, and a note where it is being read."""

from __future__ import annotations

import textwrap

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Migration

HEAD = "import os\n\nimport numpy as np\nimport tensorflow as tf\nfrom tensorflow import keras\n\n"
CLEAN = """\
for name in os.listdir("pictures"):
    path = os.path.join("pictures", name)
    with open(path, "rb") as file:
        is_jfif = b"JFIF" in file.read(10)
    if not is_jfif:
        os.remove(path)

"""
FIT = """\
data = keras.utils.image_dataset_from_directory("pictures", seed=1)
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(data.prefetch(2))
"""
WAIT = "hvd.broadcast(0, root_rank=0)  # wait for rank 0's file\n"


def migrated(text: str) -> Migration:
    found = migrate(HEAD + text + FIT)
    assert not found.blocked
    return found


def remarks(found: Migration) -> list[str]:
    return [each.message for each in found.notes if "may be about to open" in each.message]


def test_rank_0_cleans_a_folder_alone_and_all_list_it_when_it_is_clean() -> None:
    found = migrated(CLEAN)
    assert f"if hvd.rank() == 0:\n{textwrap.indent(CLEAN.rstrip(), '    ')}\n" in found.after
    assert WAIT + 'data = keras.utils.image_dataset_from_directory("pictures"' in found.after
    assert not remarks(found)


TRIED = """\
skipped = 0
for name in os.listdir("pictures"):
    path = os.path.join("pictures", name)
    try:
        file = open(path, "rb")
        is_jfif = b"JFIF" in file.peek(10)
    finally:
        file.close()
    if not is_jfif:
        skipped += 1
        os.remove(path)
print(skipped)
"""


def test_so_it_does_where_it_closes_what_it_opens_by_itself() -> None:
    head, _, loop = TRIED.partition("\n")
    found = migrated(TRIED)
    assert f"{head}\nif hvd.rank() == 0:\n{textwrap.indent(loop, '    ')}" in found.after
    assert not remarks(found)


EVERYBODYS = {
    "what is read there is needed later": (CLEAN + "print(is_jfif)\nx = int(is_jfif)\n"),
    "the file is read on": CLEAN.replace("file.read(10)", "kept.read(10)").replace(
        "for name", 'kept = open("kept", "rb")\nfor name'
    )
    + "rest = kept.read()\n",
    "it draws": CLEAN.replace("not is_jfif", "not is_jfif or np.random.rand() < 0.1"),
}


@pytest.mark.parametrize("name", EVERYBODYS)
def test_what_the_others_need_stays_with_all_and_is_remarked(name: str) -> None:
    found = migrated(EVERYBODYS[name])
    assert "and hvd.rank() == 0:\n        os.remove(path)\n" in found.after.replace(
        "if (not is_jfif or np.random.rand() < 0.1)", "if not is_jfif"
    )
    assert len(remarks(found)) == 1


OTHERS = {
    "nothing reads it": 'for name in ("a", "b"):\n    os.remove(name)\n',
    "no loop": 'with open("pictures/a") as file:\n    print(file.read())\nos.remove("pictures/a")\n',
    "its name alone": 'for name in sorted(("a", "b")):\n    print(name)\n    os.remove(name)\n',
}


@pytest.mark.parametrize("name", OTHERS)
def test_what_no_other_worker_opens_meanwhile_is_not_remarked(name: str) -> None:
    assert not remarks(migrated(OTHERS[name]))


def test_another_folder_is_not_waited_for() -> None:
    assert WAIT not in migrated('os.remove("log.txt")\n').after
