"""Rank 0 prints, saves and writes; every worker still does the rest."""

from __future__ import annotations

import textwrap

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Options

HEAD = """\
import os
import tensorflow as tf
import numpy as np

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
ckpt = tf.train.Checkpoint(model=model)
manager = tf.train.CheckpointManager(ckpt, "ckpt", 3)
model.fit(np.ones((8, 4)), np.ones((8, 1)))
"""


def migrated(text: str) -> str:
    return migrate(text, Options(unsound=True, width=120, select=frozenset({"D203"}))).after


HEAD_AFTER = migrated(HEAD)


def guarded(snippet: str) -> str:
    """The snippet behind a program that trains, as it becomes."""
    after = migrated(HEAD + textwrap.dedent(snippet))
    assert after.startswith(HEAD_AFTER)
    return after[len(HEAD_AFTER) :]


def check(before: str, after: str) -> None:
    assert guarded(before) == textwrap.dedent(after)


GUARDED = {
    "a heading stays where it stands": (
        """
        print("a")
        "## Save it"
        model.save("m.keras")
        print("b")
        """,
        """
        if hvd.rank() == 0:
            print("a")
        "## Save it"
        if hvd.rank() == 0:
            model.save("m.keras")
            print("b")
        """,
    ),
    "what paths take away, move and make": (
        """
        import pathlib
        path = pathlib.Path("a")
        path.rename("b")
        pathlib.Path("c").unlink()
        (path / "d").mkdir()
        (path / "e").mkdir(exist_ok=True)
        os.symlink("c", "f")
        name = "a".replace("a", "b")
        """,
        """
        import pathlib
        path = pathlib.Path("a")
        if hvd.rank() == 0:
            path.rename("b")
            pathlib.Path("c").unlink()
            (path / "d").mkdir()
        (path / "e").mkdir(exist_ok=True)
        if hvd.rank() == 0:
            os.symlink("c", "f")
        name = "a".replace("a", "b")
        """,
    ),
    "what all of a machine read again is written on each machine": (
        """
        np.save("/tmp/x.npy", 1)
        x = np.load("/tmp/x.npy")
        np.save("/data/tmp/z.npy", 1)
        z = np.load("/data/tmp/z.npy")
        np.save("/tmp/y.npy", 1)
        """,
        """
        if hvd.local_rank() == 0:
            np.save("/tmp/x.npy", 1)
        x = np.load("/tmp/x.npy")
        if hvd.rank() == 0:
            np.save("/data/tmp/z.npy", 1)
        z = np.load("/data/tmp/z.npy")
        if hvd.rank() == 0:
            np.save("/tmp/y.npy", 1)
        """,
    ),
    "a method under another name": (
        """
        save = model.save
        save("a.keras")
        getattr(model, "save_weights")("b.h5")
        {"keep": manager.save}["keep"]()
        tf.keras.Model.save(model, "c.keras")
        """,
        """
        save = model.save
        if hvd.rank() == 0:
            save("a.keras")
            getattr(model, "save_weights")("b.h5")
            {"keep": manager.save}["keep"]()
            tf.keras.Model.save(model, "c.keras")
        """,
    ),
    "a picture of what is scaled back": (
        """
        import matplotlib.pyplot as plt
        from sklearn.preprocessing import MinMaxScaler

        scaler = MinMaxScaler()
        values = scaler.fit_transform(np.ones((8, 1)))
        plt.figure()
        plt.plot(scaler.inverse_transform(values))
        plt.savefig("values.png")
        """,
        """
        import matplotlib.pyplot as plt
        from sklearn.preprocessing import MinMaxScaler

        scaler = MinMaxScaler()
        values = scaler.fit_transform(np.ones((8, 1)))
        if hvd.rank() == 0:
            plt.figure()
            plt.plot(scaler.inverse_transform(values))
            plt.savefig("values.png")
        """,
    ),
    "a print": (
        """
        print("done")
        """,
        """
        if hvd.rank() == 0:
            print("done")
        """,
    ),
    "neighbours share a guard, with the comment between them": (
        """
        print("a")  # first
        # and then
        tf.print("b")

        model.summary()
        """,
        """
        if hvd.rank() == 0:
            print("a")  # first
            # and then
            tf.print("b")

            model.summary()
        """,
    ),
    "a comment above stays above": (
        """
        # The end.
        print("done")
        """,
        """
        # The end.
        if hvd.rank() == 0:
            print("done")
        """,
    ),
    "semicolons": (
        """
        print("a"); x = np.random.rand(); print("b")
        use(x)
        """,
        """
        if hvd.rank() == 0:
            print("a")
        x = np.random.rand()
        if hvd.rank() == 0:
            print("b")
        use(x)
        """,
    ),
    "a name bound between two prints, then read": (
        """
        x = np.zeros(3)
        print("a")
        x = np.ones(3)
        print(x)
        use(x)
        """,
        """
        x = np.zeros(3)
        if hvd.rank() == 0:
            print("a")
        x = np.ones(3)
        if hvd.rank() == 0:
            print(x)
        use(x)
        """,
    ),
    "a look into a dataset": (
        """
        ds = tf.data.Dataset.range(9).shuffle(9, seed=1)
        for x in ds:
            print(x)
            break
        """,
        """
        ds = tf.data.Dataset.range(9).shuffle(9, seed=1)
        for x in ds:
            if hvd.rank() == 0:
                print(x)
            break
        """,
    ),
    "a one-line suite": (
        """
        for i in range(3): train(i); print(i)
        """,
        """
        for i in range(3):
            train(i)
            if hvd.rank() == 0:
                print(i)
        """,
    ),
    "an if whose whole body prints": (
        """
        for step in steps():
            if step % 100 == 0:
                print(step)
        """,
        """
        for step in steps():
            if step % 100 == 0 and hvd.rank() == 0:
                print(step)
        """,
    ),
    "an or in the test": (
        """
        if first() or last():
            print(1)
        """,
        """
        if (first() or last()) and hvd.rank() == 0:
            print(1)
        """,
    ),
    "a chain of elifs": (
        """
        if first():
            print(1)
        elif second():
            train()
            print(2)
        elif third():
            print(3)
        """,
        """
        if first():
            if hvd.rank() == 0:
                print(1)
        elif second():
            train()
            if hvd.rank() == 0:
                print(2)
        elif third() and hvd.rank() == 0:
            print(3)
        """,
    ),
    "if and else that both only print": (
        """
        if manager.latest_checkpoint:
            print("restored")
        else:
            print("from scratch")
        """,
        """
        if hvd.rank() == 0:
            if manager.latest_checkpoint:
                print("restored")
            else:
                print("from scratch")
        """,
    ),
    "a loop that only prints": (
        """
        print("layers")
        for number, layer in enumerate(model.layers):
            print(number, layer.name)
        """,
        """
        if hvd.rank() == 0:
            print("layers")
            for number, layer in enumerate(model.layers):
                print(number, layer.name)
        """,
    ),
    "strings over several lines keep their bytes": (
        '''
        print("""
          a
        b""")
        ''',
        '''
        if hvd.rank() == 0:
            print("""
          a
        b""")
        ''',
    ),
    "files written in one go": (
        """
        with open("result.txt", "w") as f:
            for value in [1, 2]:
                f.write(f"{value}\\n")
        with open("model.json", "w") as f:
            f.write(model.to_json())
        """,
        """
        if hvd.rank() == 0:
            with open("result.txt", "w") as f:
                for value in [1, 2]:
                    f.write(f"{value}\\n")
            with open("model.json", "w") as f:
                f.write(model.to_json())
        """,
    ),
    "a csv writer": (
        """
        import csv
        with open("r.csv", mode="w", newline="") as f:
            writer = csv.writer(f)
            writer.writerow(["a", "b"])
        """,
        """
        import csv
        if hvd.rank() == 0:
            with open("r.csv", mode="w", newline="") as f:
                writer = csv.writer(f)
                writer.writerow(["a", "b"])
        """,
    ),
    "numbers, plots, pickles": (
        """
        import json, pickle
        import matplotlib.pyplot as plt
        fig, ax = plt.subplots()
        fig.savefig("a.png")
        np.save("w.npy", model.get_weights()[0])
        json.dump({}, open("h.json", "w"))
        with open("h.pkl", "wb") as f:
            pickle.dump([], f)
        """,
        """
        import json, pickle
        import matplotlib.pyplot as plt
        if hvd.rank() == 0:
            fig, ax = plt.subplots()
            fig.savefig("a.png")
            np.save("w.npy", model.get_weights()[0])
            json.dump({}, open("h.json", "w"))
            with open("h.pkl", "wb") as f:
                pickle.dump([], f)
        """,
    ),
    "a model by any name": (
        """
        class Net(tf.keras.Model):
            def report(self):
                self.summary()

        class Log(tf.keras.callbacks.Callback):
            def on_epoch_end(self, epoch, logs=None):
                self.model.save(f"{epoch}.keras")
                print(logs)
        """,
        """
        class Net(tf.keras.Model):
            def report(self):
                if hvd.rank() == 0:
                    self.summary()

        class Log(tf.keras.callbacks.Callback):
            def on_epoch_end(self, epoch, logs=None):
                if hvd.rank() == 0:
                    self.model.save(f"{epoch}.keras")
                    print(logs)
        """,
    ),
    "what a fitted model is asked, and time between": (
        """
        import time
        print(model.predict(x)[0])
        time.sleep(1)
        found = model.predict(x)
        print(found)
        """,
        """
        import time
        if hvd.rank() == 0:
            print(model.predict(x)[0])
            time.sleep(1)
            found = model.predict(x)
            print(found)
        """,
    ),
    "what a fitted model is asked, which others read": (
        """
        print(0)
        found = model.predict(x)
        print(found)
        model.fit(found)
        """,
        """
        if hvd.rank() == 0:
            print(0)
        found = model.predict(x)
        if hvd.rank() == 0:
            print(found)
        model.fit(found)
        """,
    ),
    "a picture that was an array before": (
        """
        image = model.predict(x)[0]
        image = tf.keras.utils.array_to_img(image)
        image.save("a.png")
        """,
        """
        image = model.predict(x)[0]
        image = tf.keras.utils.array_to_img(image)
        if hvd.rank() == 0:
            image.save("a.png")
        """,
    ),
    "a picture that is made from itself": (
        """
        from PIL import Image
        image = Image.open("a.png")
        image = image.resize((8, 8))
        image.save("b.png")
        """,
        """
        from PIL import Image
        image = Image.open("a.png")
        image = image.resize((8, 8))
        if hvd.rank() == 0:
            image.save("b.png")
        """,
    ),
    "a function that only draws what a model predicts": (
        """
        import matplotlib.pyplot as plt

        def grid(net, n):
            figure = np.zeros((28 * n, 28))
            for i in range(n):
                figure[i * 28 : i * 28 + 28] = net.predict(np.ones((1, 28)))[0]
            plt.imshow(figure)
            plt.savefig(f"{n}.png")

        def sample(net, x):
            plt.plot(net(x, training=False))
            plt.show()

        grid(model, 3)
        sample(model, np.ones((1, 8)))
        """,
        """
        import matplotlib.pyplot as plt

        def grid(net, n):
            figure = np.zeros((28 * n, 28))
            for i in range(n):
                figure[i * 28 : i * 28 + 28] = net.predict(np.ones((1, 28)))[0]
            plt.imshow(figure)
            plt.savefig(f"{n}.png")

        def sample(net, x):
            plt.plot(net(x, training=False))
            plt.show()

        if hvd.rank() == 0:
            grid(model, 3)
            sample(model, np.ones((1, 8)))
        """,
    ),
    "a function that draws what training changes": (
        """
        import matplotlib.pyplot as plt

        held = np.zeros((8, 8))

        def grid(net, n):
            held[n] = net.predict(np.ones((1, 8)))[0]
            plt.imshow(held)
            plt.show()

        def sample(net, x):
            plt.plot(net(x))
            plt.show()

        grid(model, 3)
        sample(model, np.ones((1, 8)))
        """,
        """
        import matplotlib.pyplot as plt

        held = np.zeros((8, 8))

        def grid(net, n):
            held[n] = net.predict(np.ones((1, 8)))[0]
            if hvd.rank() == 0:
                plt.imshow(held)
                plt.show()

        def sample(net, x):
            plt.plot(net(x))
            if hvd.rank() == 0:
                plt.show()

        grid(model, 3)
        sample(model, np.ones((1, 8)))
        """,
    ),
    "a picture of a function of the file": (
        """
        import PIL.Image

        def picture(values):
            return PIL.Image.fromarray(values[0])

        picture(np.ones((1, 8, 8))).save("a.png")
        """,
        """
        import PIL.Image

        def picture(values):
            return PIL.Image.fromarray(values[0])

        if hvd.rank() == 0:
            picture(np.ones((1, 8, 8))).save("a.png")
        """,
    ),
    "something unknown that is saved as a picture": (
        """
        import elsewhere
        drawn = elsewhere.draw()
        drawn.save("a.JPG", quality=9)
        drawn.save(f"{drawn.name}.png")
        drawn.save("a.bin")
        """,
        """
        import elsewhere
        drawn = elsewhere.draw()
        if hvd.rank() == 0:
            drawn.save("a.JPG", quality=9)
            drawn.save(f"{drawn.name}.png")
            drawn.save("a.bin")
        """,
    ),
    "outside code that says by its name that it writes": (
        """
        import elsewhere
        elsewhere.save(model, "m.onnx")
        elsewhere.convert.from_keras(model, output_path=os.path.join(d, "m.onnx"))
        chart = elsewhere.draw()
        chart.write_html("a.html")
        chart.write_html()
        text = elsewhere.dump(model)
        elsewhere.client().upload_file("m.onnx", "bucket")
        """,
        """
        import elsewhere
        if hvd.rank() == 0:
            elsewhere.save(model, "m.onnx")
            elsewhere.convert.from_keras(model, output_path=os.path.join(d, "m.onnx"))
        chart = elsewhere.draw()
        if hvd.rank() == 0:
            chart.write_html("a.html")
        chart.write_html()
        text = elsewhere.dump(model)
        result = elsewhere.client()
        if hvd.rank() == 0:
            result.upload_file("m.onnx", "bucket")
        """,
    ),
    "files for which no null device can stand": (
        """
        import h5py, zipfile
        f = h5py.File("a.h5", "w")
        g = f.create_group("g")
        g.attrs["n"] = 1
        g["x"] = f.create_dataset("x", data=x)
        f.close()
        z = zipfile.ZipFile("a.zip", "w")
        for folder, _, names in os.walk("a"):
            for name in names:
                z.write(os.path.join(folder, name))
        z.close()
        with h5py.File("b.h5", "w") as f:
            f.create_dataset("x", data=np.load("x.npy"))
        with h5py.File("c.h5", "w") as f:
            f.create_dataset("x", data=mine.load("x.npy"))
        kept = h5py.File("d.h5", "w")
        kept.create_dataset("x", data=x)
        use(kept)
        """,
        """
        import h5py, zipfile
        if hvd.rank() == 0:
            f = h5py.File("a.h5", "w")
            g = f.create_group("g")
            g.attrs["n"] = 1
            g["x"] = f.create_dataset("x", data=x)
            f.close()
            z = zipfile.ZipFile("a.zip", "w")
            for folder, _, names in os.walk("a"):
                for name in names:
                    z.write(os.path.join(folder, name))
            z.close()
            with h5py.File("b.h5", "w") as f:
                f.create_dataset("x", data=np.load("x.npy"))
        with h5py.File("c.h5", "w") as f:
            f.create_dataset("x", data=mine.load("x.npy"))
        kept = h5py.File("d.h5", "w")
        kept.create_dataset("x", data=x)
        use(kept)
        """,
    ),
    "files of other libraries, by a row each": (
        """
        import netCDF4, tifffile, xlsxwriter
        f = netCDF4.Dataset("a.nc", "w")
        f.createDimension("n", 3)
        f.createVariable("x", "f4", ("n",))[:] = x
        f.close()
        book = xlsxwriter.Workbook("a.xlsx")
        book.add_worksheet().write(0, 0, 1)
        book.close()
        tifffile.imwrite("a.tif", x)
        y = netCDF4.Dataset("b.nc").variables["y"][:]
        """,
        """
        import netCDF4, tifffile, xlsxwriter
        if hvd.rank() == 0:
            f = netCDF4.Dataset("a.nc", "w")
            f.createDimension("n", 3)
            f.createVariable("x", "f4", ("n",))[:] = x
            f.close()
            book = xlsxwriter.Workbook("a.xlsx")
            book.add_worksheet().write(0, 0, 1)
            book.close()
            tifffile.imwrite("a.tif", x)
        y = netCDF4.Dataset("b.nc").variables["y"][:]
        """,
    ),
    "a file whose contents are only computed": (
        """
        for n in range(3):
            tf.io.write_file(os.path.join("a", "%d.png" % n), tf.io.encode_png(image[n]))
        """,
        """
        if hvd.rank() == 0:
            for n in range(3):
                tf.io.write_file(os.path.join("a", "%d.png" % n), tf.io.encode_png(image[n]))
        """,
    ),
    "a path that is no message": (
        """
        for n in range(3):
            np.save(os.path.join("a", str(n)), np.random.rand(3))
        """,
        """
        for n in range(3):
            result = os.path.join("a", str(n))
            result_2 = np.random.rand(3)
            if hvd.rank() == 0:
                np.save(result, result_2)
        """,
    ),
    "a message made in between": (
        """
        print("a")
        text = "{} {}".format(1, 2)
        print(text)
        """,
        """
        if hvd.rank() == 0:
            print("a")
            text = "{} {}".format(1, 2)
            print(text)
        """,
    ),
    "a folder that must be new": (
        """
        os.makedirs("run")
        """,
        """
        if hvd.rank() == 0:
            os.makedirs("run")
        """,
    ),
}

HOISTED = {
    "what a model is asked that is not fitted yet": (
        """
        other = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        print(other.predict(x))
        """,
        """
        other = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        predictions = other.predict(x)
        if hvd.rank() == 0:
            print(predictions)
        """,
    ),
    "what a model is asked of data that may be shuffled anew": (
        """
        data = tf.data.Dataset.from_tensor_slices(x).shuffle(9).batch(3)
        print(model.predict(data))
        """,
        """
        data = tf.data.Dataset.from_tensor_slices(x).shuffle(9).batch(3)
        predictions = model.predict(data)
        if hvd.rank() == 0:
            print(predictions)
        """,
    ),
    "what one of two models is asked": (
        """
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        print(model.predict(x))
        """,
        """
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        predictions = model.predict(x)
        if hvd.rank() == 0:
            print(predictions)
        """,
    ),
    "in the order in which they are evaluated": (
        """
        print(sep=train_step(1), end=train_step(2), *train_step(3))
        """,
        """
        result = [*train_step(3)]
        result_2 = train_step(1)
        result_3 = train_step(2)
        if hvd.rank() == 0:
            print(sep=result_2, end=result_3, *result)
        """,
    ),
    "a training step": (
        """
        print("loss", train_step(1))
        """,
        """
        loss = train_step(1)
        if hvd.rank() == 0:
            print("loss", loss)
        """,
    ),
    "an f-string": (
        """
        print(f"loss {train_step(1):.3f}")
        """,
        """
        loss = train_step(1)
        if hvd.rank() == 0:
            print(f"loss {loss:.3f}")
        """,
    ),
    "only what has the effect": (
        """
        for epoch in range(3):
            print("Epoch", epoch, "loss:", float(train_step(epoch)))
            print("{}: {:.2f}, {:.2f}".format(epoch, *model.evaluate(epoch)))
            print("%d: %.3f" % (epoch, get_accuracy(epoch)))
            print(f"Epoch {epoch}: error {evaluate(epoch)[1] * 100:.2f}")
            print("a batch looks like", next(batches)[0].shape)
        """,
        """
        for epoch in range(3):
            loss = train_step(epoch)
            if hvd.rank() == 0:
                print("Epoch", epoch, "loss:", float(loss))
            scores = model.evaluate(epoch)
            if hvd.rank() == 0:
                print("{}: {:.2f}, {:.2f}".format(epoch, *scores))
            accuracy = get_accuracy(epoch)
            if hvd.rank() == 0:
                print("%d: %.3f" % (epoch, accuracy))
            result = evaluate(epoch)
            if hvd.rank() == 0:
                print(f"Epoch {epoch}: error {result[1] * 100:.2f}")
            batch = next(batches)
            if hvd.rank() == 0:
                print("a batch looks like", batch[0].shape)
        """,
    ),
    "all of it where something before it may change, or it may not be asked at all": (
        """
        print(f"{model.count}: {train_step(1)}")
        print(f"{rows}: {train_step(1)}")
        print(1.0 if a is None else float(train_step(1)))
        print(train_step(1) + train_step(2))
        print(sum(train_step(n) for n in rows))
        print("{} {}".format(*steps(rows)))
        """,
        """
        message = f"{model.count}: {train_step(1)}"
        if hvd.rank() == 0:
            print(message)
        message = f"{rows}: {train_step(1)}"
        if hvd.rank() == 0:
            print(message)
        result = 1.0 if a is None else float(train_step(1))
        if hvd.rank() == 0:
            print(result)
        result = train_step(1) + train_step(2)
        if hvd.rank() == 0:
            print(result)
        result = sum(train_step(n) for n in rows)
        if hvd.rank() == 0:
            print(result)
        message = "{} {}".format(*steps(rows))
        if hvd.rank() == 0:
            print(message)
        """,
    ),
    "in the order of evaluation": (
        """
        print(step(1), metric.result(), limit, step(2), metric.result(), end="")
        """,
        """
        result = step(1)
        result_2 = metric.result()
        result_3 = step(2)
        if hvd.rank() == 0:
            print(result, result_2, limit, result_3, metric.result(), end="")
        """,
    ),
    "next, :=, starred and keywords": (
        """
        print(next(batches))
        print((n := len(a)), n)
        print(*rows(), sep=separator())
        """,
        """
        batch = next(batches)
        if hvd.rank() == 0:
            print(batch)
        result = (n := len(a))
        if hvd.rank() == 0:
            print(result, n)
        result = [*rows()]
        result_2 = separator()
        if hvd.rank() == 0:
            print(*result, sep=result_2)
        """,
    ),
    "by what the program calls them": (
        """
        print("Test loss:", train_step(1), "step", train_step(2))
        print("Test loss:", train_step(1), "Test loss:", train_step(2))
        print("train_step:", train_step(1))
        """,
        """
        test_loss = train_step(1)
        step = train_step(2)
        if hvd.rank() == 0:
            print("Test loss:", test_loss, "step", step)
        test_loss = train_step(1)
        result_2 = train_step(2)
        if hvd.rank() == 0:
            print("Test loss:", test_loss, "Test loss:", result_2)
        train_step_value = train_step(1)
        if hvd.rank() == 0:
            print("train_step:", train_step_value)
        """,
    ),
    "what a path is made of stays": (
        """
        np.save(os.path.join(args.folder, "a.npy"), train_step(1))
        np.save(os.path.join(settings.out, "a.npy"), train_step(2))
        settings.out = "b"
        """,
        """
        result = train_step(1)
        if hvd.rank() == 0:
            np.save(os.path.join(args.folder, "a.npy"), result)
        result = os.path.join(settings.out, "a.npy")
        result_2 = train_step(2)
        if hvd.rank() == 0:
            np.save(result, result_2)
        settings.out = "b"
        """,
    ),
    "names that later code reads, in a function": (
        """
        def count(a):
            print((n := len(a)))
            return n
        """,
        """
        def count(a):
            result = (n := len(a))
            if hvd.rank() == 0:
                print(result)
            return n
        """,
    ),
    "await": (
        """
        async def report():
            print(await value())
        """,
        """
        async def report():
            result = await value()
            if hvd.rank() == 0:
                print(result)
        """,
    ),
    "a name that a function rebinds": (
        """
        def count():
            global total
            total = total + 1

        print(total, count())
        """,
        """
        def count():
            global total
            total = total + 1

        result = total
        result_2 = count()
        if hvd.rank() == 0:
            print(result, result_2)
        """,
    ),
    "over several lines": (
        """
        print(
            "loss",
            train(1)
            + train(2),
        )
        """,
        """
        loss = (train(1)
                + train(2))
        if hvd.rank() == 0:
            print(
                "loss",
                loss,
            )
        """,
    ),
    "lines that are aligned with a bracket inside": (
        """
        print(
            train(1, rows={1: 2,
                           3: 4},
                n=2),
        )
        """,
        """
        result = train(1, rows={1: 2,
                                3: 4},
            n=2)
        if hvd.rank() == 0:
            print(
                result,
            )
        """,
    ),
    "an iterator that is used up": (
        """
        rows = iter([1, 2, 3])
        print(list(rows))
        """,
        """
        rows = iter([1, 2, 3])
        result = list(rows)
        if hvd.rank() == 0:
            print(result)
        """,
    ),
    "random numbers": (
        """
        print(np.random.rand(), tf.random.uniform([]))
        """,
        """
        result = np.random.rand()
        result_2 = tf.random.uniform([])
        if hvd.rank() == 0:
            print(result, result_2)
        """,
    ),
    "a name that is taken": (
        """
        result = 1
        print(train(result))
        """,
        """
        result = 1
        result_1 = train(result)
        if hvd.rank() == 0:
            print(result_1)
        """,
    ),
    "what only computes is not hoisted": (
        """
        def seconds(start):
            import_time = 1
            return f"{start:.1f} s"

        history = model.history
        print(seconds(1), len(a), max(history["loss"]), np.mean(b), "{}".format(loss.numpy()))
        """,
        """
        def seconds(start):
            import_time = 1
            return f"{start:.1f} s"

        history = model.history
        if hvd.rank() == 0:
            print(seconds(1), len(a), max(history["loss"]), np.mean(b), "{}".format(loss.numpy()))
        """,
    ),
}

VALUES = {
    "a path that is used later on every worker": (
        """
        path = manager.save()
        train(path)
        """,
        """
        path = manager.save() if hvd.rank() == 0 else None
        train(path)
        """,
    ),
    "a path that is only printed": (
        """
        path = manager.save()
        print("saved", path)
        """,
        """
        if hvd.rank() == 0:
            path = manager.save()
            print("saved", path)
        """,
    ),
    "printed here and used there": (
        """
        path = ckpt.save("a")
        print(path)
        restore(path)
        """,
        """
        path = ckpt.save("a") if hvd.rank() == 0 else None
        if hvd.rank() == 0:
            print(path)
        restore(path)
        """,
    ),
    "read again in the next round": (
        """
        last = None
        for epoch in range(3):
            train(last)
            last = manager.save()
        """,
        """
        last = None
        for epoch in range(3):
            train(last)
            last = manager.save() if hvd.rank() == 0 else None
        """,
    ),
    "an attribute": (
        """
        class Trainer:
            def save(self):
                self.path = ckpt.save("a")
        """,
        """
        class Trainer:
            def save(self):
                self.path = ckpt.save("a") if hvd.rank() == 0 else None
        """,
    ),
    "returned": (
        """
        def save(path):
            return ckpt.save(path)
        """,
        """
        def save(path):
            return ckpt.save(path) if hvd.rank() == 0 else None
        """,
    ),
    "in the middle of a call": (
        """
        remember(manager.save(), 1)
        """,
        """
        remember(manager.save() if hvd.rank() == 0 else None, 1)
        """,
    ),
    "in a logger's message": (
        """
        import logging
        logging.info(f"saved {manager.save()}")
        """,
        """
        import logging
        if hvd.rank() == 0:
            logging.info(f"saved {manager.save()}")
        """,
    ),
}

UNTOUCHED = {
    "unknown receivers": "image.save()\nimage.save(where)\nnote.write('x')\nreport.summary()\n",
    "another save": "class Box:\n    def save(self):\n        train()\n\nBox().save()\n",
    "one that may be the program's own": (
        "class Box:\n    def save(self, path):\n        train()\n\nboxes[0].save('a.bin')\n"
    ),
    "a print of one's own": "def print(*args):\n    lines.append(args)\n\nprint('a')\n",
    "a folder of each worker's own": (
        "import tempfile\npath = os.path.join(tempfile.mkdtemp(), 'w')\n"
        "model.save_weights(path)\nmodel.load_weights(path)\n"
    ),
    "a file in it": (
        'import tempfile\npath = tempfile.mkdtemp() + "/w"\n'
        'with open(path, "w") as f:\n    f.write("a")\n    print("b", file=f)\n'
    ),
    "a logger": "import logging\nlogging.info('a')\nlog = logging.getLogger()\nlog.warning('b')\n",
    "questions to the person": "name = input('name? ')\nimport sys\nsys.exit('no data')\n",
    "loading": "model.load_weights('w.h5')\nckpt.restore('a')\n",
    "help": "import argparse\nargparse.ArgumentParser().print_help()\n",
    "a lambda that prints": "show = lambda: print(1)\n",
    "summaries: their writer is silent": "tf.summary.scalar('loss', 1.0, step=1)\n",
    "files that are read": "with open('a') as f:\n    x = f.read()\n",
    "a folder that may be there": "os.makedirs('a', exist_ok=True)\n",
    "a folder made with care": "try:\n    os.mkdir('a')\nexcept FileExistsError:\n    pass\n",
    "a value that is no file": "x = print('x') or 5\nassert x == 5\n",
    "to_json gives a string": "text = model.to_json()\nuse(text)\n",
}


@pytest.mark.parametrize("name", GUARDED)
def test_guards(name: str) -> None:
    check(*GUARDED[name])


@pytest.mark.parametrize("name", HOISTED)
def test_effects_stay_on_every_worker(name: str) -> None:
    check(*HOISTED[name])


@pytest.mark.parametrize("name", VALUES)
def test_values_are_bound_on_every_worker(name: str) -> None:
    check(*VALUES[name])


@pytest.mark.parametrize("name", UNTOUCHED)
def test_untouched(name: str) -> None:
    assert guarded(UNTOUCHED[name]) == UNTOUCHED[name]


LEAVES = {
    "break": "for i in rows():\n    if late(i):\n        print('stop')\n        break\n",
    "continue": "for i in rows():\n    if late(i):\n        print('skip')\n        continue\n",
    "return": "def f():\n    if late():\n        print('no')\n        return 1\n",
    "raise": "if late():\n    print('no')\n    raise SystemExit\n",
}


@pytest.mark.parametrize("name", LEAVES)
def test_no_worker_leaves_alone(name: str) -> None:
    """The way out of a block is taken by all or by none."""
    before = LEAVES[name]
    line = next(line for line in before.splitlines() if "print" in line)
    indent = line[: len(line) - len(line.lstrip())]
    after = before.replace(line, f"{indent}if hvd.rank() == 0:\n    {line}")
    assert guarded(before) == after


def test_before_init_nothing_is_guarded() -> None:
    assert migrated('print("hello")\n' + HEAD).startswith('print("hello")\n')


def test_tabs_and_crlf_are_kept() -> None:
    before = "for i in rows():\n\ttrain(i)\n\tprint(i)\n"
    after = "for i in rows():\n\ttrain(i)\n\tif hvd.rank() == 0:\n\t\tprint(i)\n"
    assert migrated((HEAD + before).replace("\n", "\r\n")).endswith(after.replace("\n", "\r\n"))


def test_a_last_line_without_an_end_stays_so() -> None:
    assert guarded('print("done")') == 'if hvd.rank() == 0:\n    print("done")'


def test_a_module_is_no_value_to_be_kept() -> None:
    check(
        """
        tf.keras.utils.save_img("a.png", np.random.rand(3))
        """,
        """
        result = np.random.rand(3)
        if hvd.rank() == 0:
            tf.keras.utils.save_img("a.png", result)
        """,
    )


STEP = """\
import tensorflow as tf

w = tf.Variable(1.0)
opt = tf.keras.optimizers.SGD(0.1)
for step in range(30):
    with tf.GradientTape() as tape:
        loss = (w - 2.0) ** 2
    grads = tape.gradient(loss, [w])
    print(%s)
"""
APPLIED = "opt.apply_gradients(zip(grads, [w]))"


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        (APPLIED, "    if hvd.rank() == 0:\n        print(applied)\n"),
        (
            f"step, {APPLIED}.numpy()",
            "    if hvd.rank() == 0:\n        print(step, applied.numpy())\n",
        ),
    ],
)
def test_a_step_that_is_printed_gets_one_name(arguments: str, lines: str) -> None:
    after = migrate(STEP % arguments).after
    assert f"    applied = {APPLIED}\n    if not broadcast_done:\n" in after
    assert after.endswith(f"        broadcast_done.assign(True)\n{lines}")


@pytest.mark.parametrize(
    "arguments",
    [
        f"w, {APPLIED}",
        f"w.numpy(), {APPLIED}",
        f"(float(w), {APPLIED})",
        f"w + 1, {APPLIED}",
        f"end=str(w), sep={APPLIED}",
    ],
)
def test_a_step_behind_what_it_changes_is_refused(arguments: str) -> None:
    """In a statement of its own it would come first, and another value would be printed."""
    found = migrate(STEP % arguments)
    assert [each.code for each in found.blocked] == ["R08"]


def test_a_step_in_an_f_string_is_refused() -> None:
    assert "R08" in {f.code for f in migrate(STEP % f'f"{{{APPLIED}}}"').blocked}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("list(map(model.save, ['a.keras']))", [10]),
        ("import atexit\natexit.register(model.save, 'a.keras')", [11]),
        ("keep = lambda: model.save('a.keras')\nkeep()", [10]),
        ("assert model.save('a.keras') is None", [10]),
        ("save = model.save\nsave('a.keras')", []),
        ("tf.train.Checkpoint(m=model).save('c') if x.any() else None", [10]),
        ("x.any() and tf.train.Checkpoint(m=model).save('c')", [10]),
        ("model.save('a.keras') if x.any() else None", []),  # under one of rank 0
        ("path = manager.save() if x.any() else None", []),
        ("show = lambda: print(model.summary())\nshow()", []),
        ("tf.keras.callbacks.LambdaCallback(on_epoch_end=lambda e, l: model.save('a.keras'))", []),
        ("get = model.evaluate\nlist(map(get, [1]))", []),
    ],
)
def test_what_cannot_be_left_to_rank_zero_is_named(text: str, lines: list[int]) -> None:
    notes = [note for note in migrate(f"{HEAD}{text}\n").notes if note.code == "D203"]
    assert [note.line for note in notes] == lines


GRAPH = """\
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
step = tf.train.get_or_create_global_step()
w = tf.get_variable("w", [])
noise = w + tf.random_normal([])
train = tf.train.GradientDescentOptimizer(0.1).minimize((w - 3) ** 2, global_step=step)
with {session} as sess:
    {start}
    sess.run(train)
    {printed}
"""
PLAIN, MONITORED = "tf.Session()", "tf.train.MonitoredTrainingSession()"


def graph(session: str, printed: str) -> str:
    """What becomes of a program that prints something of its session."""
    start = "sess.run(tf.global_variables_initializer())" if session == PLAIN else "pass"
    return migrated(GRAPH.format(session=session, start=start, printed=printed))


@pytest.mark.parametrize(
    "read", ["sess.run(step)", "step.eval(session=sess)", "tf.train.global_step(sess, step)"]
)
def test_a_variable_is_read_by_rank_zero_alone(read: str) -> None:
    after = graph(PLAIN, f'print("step", {read})')
    assert after.endswith(f'    if hvd.rank() == 0:\n        print("step", {read})\n')


@pytest.mark.parametrize(
    ("session", "read", "name"),
    [
        (PLAIN, "sess.run(noise)", "noise_value"),
        (PLAIN, "sess.run([step, noise])", "values"),
        (PLAIN, "sess.run(w, {w: 1.0})", "w_value"),
        (MONITORED, "sess.run(step)", "step_value"),  # its hooks see every run
        (MONITORED, "tf.train.global_step(sess, step)", "step_value"),
    ],
)
def test_every_worker_runs_what_may_do_more(session: str, read: str, name: str) -> None:
    after = graph(session, f'print("step", {read})')
    assert f"    {name} = {read}\n" in after
    assert after.endswith(f'    if hvd.rank() == 0:\n        print("step", {name})\n')
