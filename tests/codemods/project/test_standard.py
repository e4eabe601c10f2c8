"""Each file imports what its own new code needs of the standard library, and no other does."""

from __future__ import annotations

from distify.codemods.project.migrate import migrate_project
from distify.codemods.project.texts import Project

TRAIN = """\
import numpy as np
import tensorflow as tf
{imports}
import keeping
import folders

folders.make("out")
keeping.keep("out/args.yml", {{"a": 1}})
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(np.ones((8, 4)), np.ones((8, 1)))
"""
FOLDERS = """\
import os


def make(path):
    if not os.path.exists(path):
        os.makedirs(path)
"""
KEEPING = """\
import yaml


def keep(path, values):
    with open(path, "w") as file:
        file.write(yaml.dump(values))
"""


def changed(keeping: str = KEEPING, folders: str = FOLDERS, imports: str = "") -> dict[str, str]:
    """The texts that come out, of each file that changes."""
    entry = TRAIN.format(imports=imports)
    texts = {"train.py": entry, "keeping.py": keeping, "folders.py": folders}
    found = migrate_project(Project("train.py", texts))
    assert found is not None
    assert found.blocked == ()
    return {"train.py": found.after, **{o.path: o.migration.after for o in found.others}}


def test_a_file_imports_os_itself_where_another_one_does() -> None:
    """The entry got the import, and the file spoke of a name that nothing bound: T01, a fault."""
    after = changed()
    start = "import os\n\nimport horovod.tensorflow.keras as hvd\nimport yaml\n"
    assert after["keeping.py"].startswith(start)
    assert "open(path if hvd.rank() == 0 else os.devnull, " in after["keeping.py"]
    assert "import os" not in after["train.py"]


def test_no_other_module_needs_to_import_it() -> None:
    after = changed(folders="def make(path):\n    pass\n")
    assert after["keeping.py"].startswith("import os\n\nimport horovod")
    assert "import os" not in after["train.py"]


def test_what_imports_it_already_gets_nothing() -> None:
    after = changed("import os\n" + KEEPING)
    assert after["keeping.py"].count("import os") == 1


def test_a_file_without_imports_gets_all_of_them_on_top() -> None:
    keeping = (
        'def keep(path, values):\n    with open(path, "w") as f:\n        f.write(values.text())\n'
    )
    start = "import os\n\nimport horovod.tensorflow.keras as hvd\n\n\ndef keep("
    assert changed(keeping)["keeping.py"].startswith(start)


def test_the_entrys_own_import_stays() -> None:
    after = changed(imports='log = open("log.txt", "w")\nlog.write(str(input()))\n')
    assert after["train.py"].count("import os\n") == 1
    assert after["keeping.py"].count("import os\n") == 1


def test_imports_that_go_to_one_place_keep_their_order() -> None:
    """Horovod's went between two of the standard library."""
    keeping = KEEPING.replace("import yaml", "import json").replace("yaml.dump", "json.loads")
    start = "import json\nimport os\nimport horovod.tensorflow.keras as hvd\n\n\ndef keep("
    assert changed(keeping)["keeping.py"].startswith(start)
