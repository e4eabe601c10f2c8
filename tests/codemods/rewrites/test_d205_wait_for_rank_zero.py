"""Nobody reads a file of rank 0 before it is written."""

from __future__ import annotations

import textwrap

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Options

HEAD = """\
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
ckpt = tf.train.Checkpoint(model=model)
manager = tf.train.CheckpointManager(ckpt, "ckpt", 3)
"""
WAIT = "hvd.broadcast(0, root_rank=0)  # wait for rank 0's file\n"


def waiting(snippet: str) -> str:
    """The program behind its head, as it becomes."""
    text = HEAD + textwrap.dedent(snippet).lstrip("\n")
    after = migrate(text, Options(unsound=True, select=frozenset({"D205"}))).after
    return after[after.index('ckpt", 3)\n') + len('ckpt", 3)\n') :]


CASES = {
    "for what is moved, or written as a table": (
        """
        import os, shutil
        import pandas as pd
        os.rename("x.npy", "y.npy")
        y = np.load("y.npy")
        shutil.move("a.txt", "b.txt")
        z = pd.read_csv("b.txt")
        pd.DataFrame(y).to_parquet("y.parquet")
        y = pd.read_parquet("y.parquet")
        model.fit(y, z)
        """,
        """
        import os, shutil
        import pandas as pd
        if hvd.rank() == 0:
            os.rename("x.npy", "y.npy")
        hvd.broadcast(0, root_rank=0)  # wait for rank 0's file
        y = np.load("y.npy")
        if hvd.rank() == 0:
            shutil.move("a.txt", "b.txt")
        hvd.broadcast(0, root_rank=0)  # wait for rank 0's file
        z = pd.read_csv("b.txt")
        if hvd.rank() == 0:
            pd.DataFrame(y).to_parquet("y.parquet")
        hvd.broadcast(0, root_rank=0)  # wait for rank 0's file
        y = pd.read_parquet("y.parquet")
        model.fit(y, z)
        """,
    ),
    "for bytes that were downloaded, whatever they are": (
        """
        import requests
        with open("x.npy", "wb") as f:
            f.write(requests.get(url).content)
        model.fit(np.load("x.npy"), y)
        """,
        """
        import requests
        with open("x.npy", "wb") as f:
            f.write(requests.get(url).content)
        hvd.broadcast(0, root_rank=0)  # wait for rank 0's file
        model.fit(np.load("x.npy"), y)
        """,
    ),
    "the best weights of a run": (
        """
        best = tf.keras.callbacks.ModelCheckpoint("best.h5", save_best_only=True)
        model.fit(x, y, callbacks=[best])
        model.load_weights("best.h5")
        """,
        """
        best = tf.keras.callbacks.ModelCheckpoint("best.h5", save_best_only=True)
        model.fit(x, y, callbacks=[best])
        hvd.broadcast(0, root_rank=0)  # wait for rank 0's file
        model.load_weights("best.h5")
        """,
    ),
    "for the latest file of a folder, but not where only rank 0 looks": (
        """
        import os
        model.fit(x, y, callbacks=[tf.keras.callbacks.ModelCheckpoint("c/best.h5")])
        print(os.listdir("c"))
        latest = tf.train.latest_checkpoint("c")
        model.load_weights(latest)
        """,
        """
        import os
        model.fit(x, y, callbacks=[tf.keras.callbacks.ModelCheckpoint("c/best.h5")])
        if hvd.rank() == 0:
            print(os.listdir("c"))
        hvd.broadcast(0, root_rank=0)  # wait for rank 0's file
        latest = tf.train.latest_checkpoint("c")
        model.load_weights(latest)
        """,
    ),
    "behind what is written, for a function that a dataset calls": (
        """
        def read(path):
            return np.load(path)
        for n in range(3):
            np.save("part%d" % n, x)
        ds = files.map(lambda path: tf.numpy_function(read, [path], tf.float32))
        model.fit(ds)
        """,
        """
        def read(path):
            return np.load(path)
        if hvd.rank() == 0:
            for n in range(3):
                np.save("part%d" % n, x)
        hvd.broadcast(0, root_rank=0)  # wait for rank 0's file
        ds = files.map(lambda path: tf.numpy_function(read, [path], tf.float32))
        model.fit(ds)
        """,
    ),
    "behind what is written, for what Keras calls": (
        """
        class Parts(tf.keras.utils.Sequence):
            def __getitem__(self, n):
                return np.load("part%d.npy" % n)
        np.save("part0", x)
        model.fit(Parts())
        """,
        """
        class Parts(tf.keras.utils.Sequence):
            def __getitem__(self, n):
                return np.load("part%d.npy" % n)
        if hvd.rank() == 0:
            np.save("part0", x)
        hvd.broadcast(0, root_rank=0)  # wait for rank 0's file
        model.fit(Parts())
        """,
    ),
    "in a main that is handed over": (
        """
        from absl import app
        def main(argv):
            np.save("x.npy", x)
            model.fit(np.load("x.npy"))
        app.run(main)
        """,
        """
        from absl import app
        def main(argv):
            if hvd.rank() == 0:
                np.save("x.npy", x)
            hvd.broadcast(0, root_rank=0)  # wait for rank 0's file
            model.fit(np.load("x.npy"))
        app.run(main)
        """,
    ),
    "inside of a condition that calls what writes": (
        """
        def run():
            model.fit(x, y)
            model.save_weights("best.h5")
        if __name__ == "__main__":
            run()
            model.load_weights("best.h5")
        """,
        """
        def run():
            model.fit(x, y)
            if hvd.rank() == 0:
                model.save_weights("best.h5")
        if __name__ == "__main__":
            run()
            hvd.broadcast(0, root_rank=0)  # wait for rank 0's file
            model.load_weights("best.h5")
        """,
    ),
    "outside of a loop": (
        """
        model.fit(x, y)
        np.save("a.npy", x)
        for name in names:
            print(np.load(name + ".npy"))
        """,
        """
        model.fit(x, y)
        if hvd.rank() == 0:
            np.save("a.npy", x)
        hvd.broadcast(0, root_rank=0)  # wait for rank 0's file
        for name in names:
            result = np.load(name + ".npy")
            if hvd.rank() == 0:
                print(result)
        """,
    ),
    "outside of a condition": (
        """
        model.fit(x, y)
        model.save(path)
        if found(path):
            other = tf.keras.models.load_model(path)
        """,
        """
        model.fit(x, y)
        if hvd.rank() == 0:
            model.save(path)
        hvd.broadcast(0, root_rank=0)  # wait for rank 0's file
        if found(path):
            other = tf.keras.models.load_model(path)
        """,
    ),
    "behind what every worker evaluates": (
        """
        model.fit(x, y)
        np.save("w.npy", w)
        print(np.load("w.npy"))
        """,
        """
        model.fit(x, y)
        if hvd.rank() == 0:
            np.save("w.npy", w)
        hvd.broadcast(0, root_rank=0)  # wait for rank 0's file
        result = np.load("w.npy")
        if hvd.rank() == 0:
            print(result)
        """,
    ),
    "in a loop that saves later": (
        """
        for epoch in range(3):
            ckpt.restore(manager.latest_checkpoint)
            model.fit(x, y)
            manager.save()
        """,
        """
        for epoch in range(3):
            hvd.broadcast(0, root_rank=0)  # wait for rank 0's file
            ckpt.restore(manager.latest_checkpoint)
            model.fit(x, y)
            if hvd.rank() == 0:
                manager.save()
        """,
    ),
    "before its folder is looked into": (
        """
        import os
        best = tf.keras.callbacks.ModelCheckpoint("run/best.h5")
        model.fit(x, y, callbacks=[best])
        names = os.listdir("run")
        others = os.listdir("data")
        """,
        """
        import os
        best = tf.keras.callbacks.ModelCheckpoint("run/best.h5")
        model.fit(x, y, callbacks=[best])
        hvd.broadcast(0, root_rank=0)  # wait for rank 0's file
        names = os.listdir("run")
        others = os.listdir("data")
        """,
    ),
    "once for two files": (
        """
        model.fit(x, y)
        model.save_weights(a)
        model.save_weights(b)
        model.load_weights(a)
        model.load_weights(b)
        """,
        """
        model.fit(x, y)
        if hvd.rank() == 0:
            model.save_weights(a)
            model.save_weights(b)
        hvd.broadcast(0, root_rank=0)  # wait for rank 0's file
        model.load_weights(a)
        model.load_weights(b)
        """,
    ),
    "through functions": (
        """
        def save():
            model.save_weights("w.h5")


        def load():
            model.load_weights("w.h5")


        model.fit(x, y)
        save()
        load()
        """,
        """
        def save():
            if hvd.rank() == 0:
                model.save_weights("w.h5")


        def load():
            model.load_weights("w.h5")


        model.fit(x, y)
        save()
        hvd.broadcast(0, root_rank=0)  # wait for rank 0's file
        load()
        """,
    ),
    "before a folder is read that something went from": (
        """
        import os, shutil
        folder = os.path.join(os.path.dirname(path), "train")
        shutil.rmtree(os.path.join(folder, "unsup"))
        ds = tf.keras.utils.text_dataset_from_directory(folder, seed=1)
        model.fit(ds)
        """,
        """
        import os, shutil
        folder = os.path.join(os.path.dirname(path), "train")
        if hvd.rank() == 0:
            shutil.rmtree(os.path.join(folder, "unsup"))
        hvd.broadcast(0, root_rank=0)  # wait for rank 0's file
        ds = tf.keras.utils.text_dataset_from_directory(folder, seed=1)
        model.fit(ds)
        """,
    ),
    "where a helper is called, however deep, out of conditions": (
        """
        def load():
            model.load_weights("w.h5")


        def test():
            load()
            return model.predict(x)


        for n in range(2):
            model.fit(x, y)
            model.save_weights("w.h5")
            if n:
                test()
        load()
        """,
        """
        def load():
            model.load_weights("w.h5")


        def test():
            load()
            return model.predict(x)


        for n in range(2):
            model.fit(x, y)
            if hvd.rank() == 0:
                model.save_weights("w.h5")
            hvd.broadcast(0, root_rank=0)  # wait for rank 0's file
            if n:
                test()
        hvd.broadcast(0, root_rank=0)  # wait for rank 0's file
        load()
        """,
    ),
    "for a folder of computed paths": (
        """
        import os
        for n in range(3):
            with open(os.path.join(folder, str(n), "a.txt"), "w") as f:
                f.write("a")
        model.fit(tf.keras.utils.text_dataset_from_directory(folder, label_mode="int"))
        """,
        """
        import os
        if hvd.rank() == 0:
            for n in range(3):
                with open(os.path.join(folder, str(n), "a.txt"), "w") as f:
                    f.write("a")
        hvd.broadcast(0, root_rank=0)  # wait for rank 0's file
        model.fit(tf.keras.utils.text_dataset_from_directory(folder, label_mode="int"))
        """,
    ),
    "once for texts that are opened by computed paths": (
        """
        import os
        from pathlib import Path
        def make(folder):
            with open(os.path.join(folder, "a.txt"), "w") as f:
                f.write("a")
        make("texts")
        (Path("more") / "b.txt").write_text("b")
        with open("texts/a.txt") as f:
            a = f.read()
        b = (Path("more") / "b.txt").read_text()
        model.fit(x, y)
        """,
        """
        import os
        from pathlib import Path
        def make(folder):
            if hvd.rank() == 0:
                with open(os.path.join(folder, "a.txt"), "w") as f:
                    f.write("a")
        make("texts")
        if hvd.rank() == 0:
            (Path("more") / "b.txt").write_text("b")
        hvd.broadcast(0, root_rank=0)  # wait for rank 0's file
        with open("texts/a.txt") as f:
            a = f.read()
        b = (Path("more") / "b.txt").read_text()
        model.fit(x, y)
        """,
    ),
    "for arrays that are only made where they are missing": (
        """
        import os
        def arrays(folder):
            if os.path.exists(folder):
                return
            os.makedirs(folder, exist_ok=True)
            np.save(os.path.join(folder, "x.npy"), x)
        arrays("a")
        model.fit(np.load("a/x.npy"))
        """,
        """
        import os
        def arrays(folder):
            if os.path.exists(folder):
                return
            if hvd.rank() == 0:
                os.makedirs(folder, exist_ok=True)
                np.save(os.path.join(folder, "x.npy"), x)
        arrays("a")
        hvd.broadcast(0, root_rank=0)  # wait for rank 0's file
        model.fit(np.load("a/x.npy"))
        """,
    ),
}
NO_WAIT = {
    "another file than the text beside a computed path": (
        "import os\nwith open(os.path.join(out, 'log.txt'), 'w') as f:\n    f.write('a')\n"
        "with open(os.path.join(out, 'names.txt')) as f:\n    names = f.read()\nmodel.fit(x, y)\n"
    ),
    "another folder than what is written": (
        "with open('logs/a.txt', 'w') as f:\n    f.write('a')\n"
        "model.fit(tf.keras.utils.text_dataset_from_directory('texts'))\n"
    ),
    "a folder for checkpoints": (
        "import os\nif not os.path.isdir('c'):\n    os.makedirs('c')\n"
        "model.fit(tf.keras.utils.text_dataset_from_directory('texts'))\nmodel.save('c/m.h5')\n"
    ),
    "read first": "model.load_weights('w.h5')\nmodel.fit(x, y)\nmodel.save_weights('w.h5')\n",
    "another file": "model.fit(x, y)\nnp.save('a.npy', w)\nb = np.load('b.npy')\n",
    "another pickle": (
        "import pickle\nmodel.fit(x, y)\npickle.dump(w, open('a.pkl', 'wb'))\n"
        "with open('b.pkl', 'rb') as f:\n    b = pickle.load(f)\n"
    ),
    "another file than the bytes": (
        "import pickle\nmodel.fit(x, y)\nwith open('a.pkl', 'wb') as f:\n    pickle.dump(w, f)\n"
        "b = np.load(path)\n"
    ),
    "bytes of another name": (
        "import pylib\nmodel.fit(x, y)\nwith open('a.npy', 'wb') as f:\n    f.write(pylib.x)\n"
        "b = np.load('b.npy')\n"
    ),
    "another kind of file": "model.fit(x, y)\nmodel.save(path)\nb = np.load(path)\n",
    "a file that stays open for what is written": (
        "import csv\nlog = open('log.csv', 'w')\nrows = csv.writer(log)\nmodel.fit(x, y)\n"
        "rows.writerow([1])\n"
    ),
    "never written": "model.load_weights('w.h5')\nmodel.fit(x, y)\n",
    "restored once, at the start": (
        "ckpt.restore(manager.latest_checkpoint)\n"
        "for epoch in range(3):\n    model.fit(x, y)\n    manager.save()\n"
    ),
    "restored by a function that runs first": (
        "def load():\n    model.load_weights('w.h5')\n\n\n"
        "def save():\n    model.save_weights('w.h5')\n\n\n"
        "load()\nmodel.fit(x, y)\nsave()\n"
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_every_worker_waits(name: str) -> None:
    before, after = CASES[name]
    assert waiting(before) == textwrap.dedent(after).lstrip("\n")


@pytest.mark.parametrize("name", NO_WAIT)
def test_nobody_waits(name: str) -> None:
    assert WAIT.strip() not in waiting(NO_WAIT[name])


# ------------------------------------------------------------------- loops that go on

LOOP = """\
import glob, json, os, re, time
import numpy as np
import tensorflow as tf
from tqdm import tqdm, trange

net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1)
ckpt = tf.train.Checkpoint(step=tf.Variable(0), net=net, opt=opt)
start = 0
"""
STEP = """
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(net(tf.random.normal([4, 2])) ** 2)
    opt.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
"""
STATE = (
    "if os.path.exists('s'):\n    with open('s') as f:\n        start = json.load(f)['epoch'] + 1\n"
)
NAME = "files = glob.glob('*.h5')\nif files:\n    start = int(re.search('[0-9]+', files[-1])[0])\n"
TOLD = {
    "what JSON says": (STATE + "for e in range(start, 9):", ["start"]),
    "what a name says": (NAME + "for e in range(start, 9):", ["start"]),
    "so many more": (STATE + "for e in range(start, start + 9):", ["start", "start + 9"]),
    "what the name of the latest checkpoint says": (
        "manager = tf.train.CheckpointManager(ckpt, 'c', 3)\nlatest = manager.latest_checkpoint\n"
        "if latest:\n    start = int(latest.split('-')[-1])\nfor e in range(start, 9):",
        ["start"],
    ),
    "with a bar": (STATE + "for e in tqdm(range(start, 9)):", ["start"]),
    "a bar that counts": (STATE + "for e in trange(start, 9):", ["start"]),
    "a number in an array": ("start = int(np.load('s.npy'))\nfor e in range(start, 9):", ["start"]),
    "how many files there are": (
        "for e in range(len(os.listdir('c')), 9):",
        ["len(os.listdir('c'))"],
    ),
    "the step of a checkpoint": (
        "ckpt.restore(tf.train.latest_checkpoint('c'))\nfor e in range(int(ckpt.step), 9):",
        ["int(ckpt.step)"],
    ),
}
NOT_TOLD = {
    "a number": "for e in range(start, 9):",
    "the step of what was not restored": "for e in range(int(ckpt.step), 9):",
    "a loop that trains nothing": STATE
    + "for e in range(start, 9):\n    print(e)\nfor e in range(9):",
    "examples": "x = np.ones([64])\nfor e in range(len(x)):",
    "a loop within another": "for e in range(9):\n  start = int(np.load('s.npy'))\n  for n in range(start):",
    "a clock": STATE + "for e in range(start, int(time.time())):",
    "chance": STATE + "import random\nfor e in range(start, random.randint(3, 9)):",
    "files and chance": STATE
    + "import random\nstart += random.randint(0, 2)\nfor e in range(start, 9):",
}


@pytest.mark.parametrize("name", TOLD)
def test_rank_zero_tells_where_a_loop_goes_on(name: str) -> None:
    text, numbers = TOLD[name]
    found = migrate(LOOP + text + STEP)
    assert not found.blocked
    for number in numbers:
        assert f"int(hvd.broadcast({number}, root_rank=0))" in found.after
    assert found.after.count("hvd.broadcast(") == len(numbers)
    again = migrate(found.after)
    assert not again.blocked
    assert again.after == found.after


@pytest.mark.parametrize("name", NOT_TOLD)
def test_what_is_no_matter_of_files_is_not_told(name: str) -> None:
    step = STEP.replace("\n    ", "\n        ") if "within" in name else STEP
    found = migrate(LOOP + NOT_TOLD[name] + step)
    assert "hvd.broadcast(" not in (found.after or "")
    is_own = name in ("a clock", "chance", "files and chance")
    assert ("T07" in [each.code for each in found.blocked]) == is_own


def test_a_loop_in_a_graph_is_not_told() -> None:
    """A worker's number can't be sent there before each step: the graph would hold the sending."""
    step = STEP.replace("\n    ", "\n        ")
    loop = f"@tf.function\ndef train(start):\n    for e in range(start, 9):{step}\n\n{STATE}train(start)\n"
    found = migrate(LOOP + loop)
    assert "int(hvd.broadcast(" not in (found.after or "")
    assert "T07" in [each.code for each in found.blocked]


def test_in_a_session_nobody_can_wait_and_a_note_says_so() -> None:
    """`hvd.broadcast(0, root_rank=0)` fails in a graph: a number has no name."""
    text = """\
import numpy as np
import tensorflow.compat.v1 as tf

np.save("x.npy", np.ones(3))
x = np.load("x.npy")
train = tf.train.AdamOptimizer(0.1).minimize(tf.get_variable("w", []) ** 2)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(train)
"""
    found = migrate(text)
    assert found.blocked == ()
    assert "hvd.broadcast(" not in found.after
    assert [note.line for note in found.notes if note.code == "H01"] == [5]


SESSIONS = """import tensorflow.compat.v1 as tf

loss = tf.get_variable("w", []) ** 2
train = tf.train.AdamOptimizer(0.1).minimize(loss)
saver = tf.train.Saver()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(train)
    saver.save(sess, "m/model")
with {} as sess:
    saver.restore(sess, {})
    print(sess.run(loss))
"""
IN_SESSION = (
    "    hvd.broadcast_object(0, root_rank=0)  # wait for rank 0's file\n    saver.restore("
)


@pytest.mark.parametrize("path", ['"m/model"', 'tf.train.latest_checkpoint("m")'])
def test_the_session_that_reads_lets_the_others_wait(path: str) -> None:
    """Without it a worker that is faster finds no checkpoint, or half of one."""
    found = migrate(SESSIONS.format("tf.Session()", path))
    assert not found.blocked
    assert found.after.count(IN_SESSION) == 1
    assert migrate(found.after).after == found.after


def test_before_anything_is_saved_no_session_waits() -> None:
    text = SESSIONS.format("tf.Session()", '"old/model"')
    assert IN_SESSION not in migrate(text).after


BASE = """
class Trainer:
    def __init__(self):
        self.start = ckpt.restore(manager.latest_checkpoint)

    def fit(self):
        model.fit(x, y)
        manager.save()


class Own(Trainer):
    def __init__(self):
        {}
        self.name = "own"


"""


@pytest.mark.parametrize("start", ["super().__init__()", "Trainer.__init__(self)"])
def test_a_base_that_starts_before_anything_is_written_waits_for_nothing(start: str) -> None:
    """What `super().__init__()` runs comes where the class is called, and no earlier."""
    assert WAIT not in waiting(BASE.format(start) + "Own().fit()\n")


def test_a_base_that_starts_again_behind_what_is_written_waits() -> None:
    again = waiting(BASE.format("super().__init__()") + "Own().fit()\nOwn().fit()\n")
    assert WAIT in again
