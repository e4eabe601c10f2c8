"""Programs that train with `fit`."""

# ruff: noqa: E501  (one line of a generated program is one line)

from __future__ import annotations

from .choices import Choices, Lines, call, chain, inside
from .spelling import Spelling

OPTIMIZERS = ("Adam", "SGD", "RMSprop", "Adagrad", "Nadam")
RATES = (
    "0.01",
    "1e-3",
    "0.1 / 2",
    "RATE",
    "RATE if EPOCHS > 1 else 0.5",
    "0.1 + 0.01",
    "-RATE * -1",
)
SCHEDULES = {
    "ExponentialDecay": ("RATE", "decay_steps=100", "decay_rate=0.9"),
    "CosineDecay": ("initial_learning_rate=0.1 / 2", "decay_steps=EPOCHS * 10"),
    "PiecewiseConstantDecay": ("[100, 200]", "[0.1, 0.05, 0.01]"),
    "PolynomialDecay": ("0.1", "100", "0.01"),
    "InverseTimeDecay": ("0.1", "1", "0.5"),
}


class KerasProgram:
    """Draws the parts of one program, in the order in which they stand in it."""

    def __init__(self, choices: Choices) -> None:
        self.c = choices
        self.s = Spelling(choices)
        self.s.module("import numpy as np")
        self.custom_step = False
        self.top: Lines = []  # classes and functions

    # -- data

    def data(self) -> tuple[Lines, str, str, list[str], str]:
        """Lines, `x` and `y` of fit, more arguments of fit, and what to test on."""
        form = self.c.one("arrays", "dataset", "load_data", "generator", "dict", "steps", "folder")
        arrays = ["x = np.random.rand(1000, 4)", "y = np.random.rand(1000, 1)"]
        if form == "arrays":
            more = self.c.one(
                [],
                ["validation_split=0.1"],
                ["validation_data=(x[:100], y[:100])"],
                ["batch_size=32"],
            )
            return (
                self.c.one(
                    arrays,
                    ["x, y = np.ones((64, 4)), np.ones((64, 1))"],
                    [*arrays, "order = np.random.permutation(1000)", "x, y = x[order], y[order]"],
                ),
                "x",
                "y",
                more,
                "x, y",
            )
        if form == "load_data":
            load = f"(x_train, y_train), (x_test, y_test) = {self.s.keras('datasets.mnist.load_data')}()"
            lines = [
                load,
                self.c.one(
                    "x_train = x_train / 255.0", "x_train, x_test = x_train / 255.0, x_test / 255.0"
                ),
            ]
            return (
                lines,
                "x_train",
                "y_train",
                self.c.one([], ["validation_data=(x_test, y_test)"]),
                "x_test, y_test",
            )
        if form == "generator":
            made = inside(
                "def batches():", inside("while True:", ["yield np.ones((8, 4)), np.ones((8, 1))"])
            )
            self.top += made
            return [], "batches()", "", ["steps_per_epoch=10"], "np.ones((8, 4)), np.ones((8, 1))"
        if form == "dict":
            lines = ['x = {"a": np.ones((64, 4)), "b": np.ones((64, 4))}', "y = np.ones((64, 1))"]
            return lines, "x", "y", [], "x, y"
        return self._pipeline(form, arrays)

    def _pipeline(self, form: str, arrays: Lines) -> tuple[Lines, str, str, list[str], str]:
        slices = f"{self.s.tf('data.Dataset.from_tensor_slices')}((x, y))"
        shuffle = self.c.one(
            "", "shuffle(1000)", "shuffle(1000, seed=1)", "cache()", "map(lambda a, b: (a * 2, b))"
        )
        prefetch = self.c.one("", f"prefetch({self.s.tf('data.AUTOTUNE')})")
        more: list[str] = []
        if form == "folder":
            source = chain(
                f"{self.s.tf('data.TFRecordDataset')}(FILES)",
                "map(parse)",
                shuffle,
                "batch(20)",
                prefetch,
            )
            self.top += inside(
                "def parse(record):",
                [f"return {self.s.tf('io.decode_raw')}(record, {self.s.tf('float32')}), 1.0"],
            )
            return ['FILES = ["a.tfrecord", "b.tfrecord"]', f"ds = {source}"], "ds", "", more, "ds"
        repeat = ""
        if form == "steps":
            repeat, more = (
                "repeat()",
                [self.c.one("steps_per_epoch=50", "steps_per_epoch=len(x) // 20")],
            )
        last = self.c.one("batch(20)", "batch(20, drop_remainder=True)")
        if self.c.chance(20):
            lines = [*arrays, f"ds = {slices}", "ds = ds.shuffle(100)", f"ds = ds.{last}"]
            return lines, "ds", "", [], "ds"
        take = self.c.one("", "", "take(40)")
        made = chain(slices, shuffle, repeat, last, take, prefetch)
        if self.c.chance(25):
            more = [*more, "validation_data=val"]
            arrays = [*arrays, f"val = {chain(slices, 'batch(20)')}"]
        return [*arrays, f"ds = {made}"], "ds", "", more, "ds"

    # -- model

    def model(self) -> Lines:
        dense = self.s.keras("layers.Dense")
        form = self.c.one("list", "add", "functional", "class", "train_step", "function")
        if form == "list":
            return [f"model = {call(self.s.keras('Sequential'), f'[{dense}(8), {dense}(1)]')}"]
        if form == "add":
            return [
                f"model = {self.s.keras('models.Sequential')}()",
                f"model.add({dense}(8))",
                f"model.add({dense}(1))",
            ]
        if form == "functional":
            lines = [
                f"inputs = {self.s.keras('Input')}(shape=(4,))",
                f"outputs = {dense}(1)(inputs)",
            ]
            return [*lines, f"model = {call(self.s.keras('Model'), 'inputs', 'outputs')}"]
        if form == "function":
            self.top += inside(
                "def build(units=8):",
                [f"net = {self.s.keras('Sequential')}([{dense}(units)])", "return net"],
            )
            return ["model = build()"]
        self.top += self._class(dense, form == "train_step")
        return ["model = Net()"]

    def _class(self, dense: str, with_step: bool) -> Lines:
        methods = [
            *inside("def __init__(self):", ["super().__init__()", f"self.dense = {dense}(1)"]),
            *inside("def call(self, inputs, training=False):", ["return self.dense(inputs)"]),
        ]
        if with_step:
            self.custom_step = True
            body = [
                "x, y = data",
                *inside(
                    f"with {self.s.tf('GradientTape')}() as tape:",
                    ["loss = self.compiled_loss(y, self(x, training=True))"],
                ),
                self.c.one(
                    "variables = self.trainable_variables", "variables = self.trainable_weights"
                ),
                "gradients = tape.gradient(loss, variables)",
                "self.optimizer.apply_gradients(zip(gradients, variables))",
                'return {"loss": loss}',
            ]
            methods += inside("def train_step(self, data):", body)
        return inside(f"class Net({self.s.keras('Model')}):", methods)

    # -- optimizer

    def rate(self) -> str:
        """The argument that sets the rate, or nothing."""
        form = self.c.one("keyword", "positional", "missing", "lr", "schedule", "more")
        value = self.c.one(*RATES)
        if form == "keyword":
            return f"learning_rate={value}"
        if form == "positional":
            return value
        if form == "schedule":
            return f"learning_rate={self.schedule()}"
        return {"missing": "", "lr": f"lr={value}", "more": f"{value}, clipnorm=1.0"}[form]

    def schedule(self) -> str:
        """A schedule, inline."""
        if self.c.chance(15):
            base = self.s.keras("optimizers.schedules.LearningRateSchedule")
            body = [
                *inside("def __init__(self, rate):", ["self.rate = rate"]),
                *inside("def __call__(self, step):", ["return self.rate / (step + 1)"]),
                *inside("def get_config(self):", ['return {"rate": self.rate}']),
            ]
            self.top += inside(f"class Decay({base}):", body)
            return "Decay(0.1)"
        kind = self.c.one(*SCHEDULES)
        return call(self.s.keras(f"optimizers.schedules.{kind}"), *SCHEDULES[kind])

    def compile(self) -> Lines:
        loss = self.c.one('"mse"', 'loss="mse"', 'loss="mse", metrics=["mae"]')
        form = self.c.one(
            "string", "inline", "named", "missing", "keyword", "attribute", "scaled loss", "legacy"
        )
        cls = self.c.one(*OPTIMIZERS)
        if form == "missing":
            return [call("model.compile", loss if loss.startswith("loss") else f"loss={loss}")]
        if form == "string":
            text = self.c.one(f'"{cls.lower()}"', f"'{cls}'")
            return [
                call(
                    "model.compile",
                    text if not loss.startswith("loss") else f"optimizer={text}",
                    loss,
                )
            ]
        kind = self.s.keras(f"optimizers.{cls}")
        if form == "legacy":
            kind = self.s.keras(f"optimizers.legacy.{cls}")
        made = call(kind, self.rate())
        if form in ("inline", "legacy"):
            return [
                call(
                    "model.compile",
                    made if not loss.startswith("loss") else f"optimizer={made}",
                    loss,
                )
            ]
        if form == "attribute":
            self.top += inside(
                "class Setting:",
                inside("def __init__(self):", [f"self.opt = {made}", "self.name = 1"]),
            )
            return ["setting = Setting()", call("model.compile", "setting.opt", loss)]
        name = self.c.one("optimizer", "opt", "hvd_opt", "shard")
        lines = [f"{name} = {made}"]
        if form == "scaled loss":
            wrapper = self.s.tf("keras.mixed_precision.LossScaleOptimizer")
            lines.append(f"{name} = {wrapper}({name})")
        given = f"optimizer={name}" if loss.startswith("loss") else name
        return [*lines, call("model.compile", given, loss)]

    # -- fit

    def callbacks(self) -> tuple[Lines, str]:
        """Lines before fit, and its argument."""
        classes = "callbacks."
        stop = f"{self.s.keras(classes + 'EarlyStopping')}(patience=2)"
        plateau = f'{self.s.keras(classes + "ReduceLROnPlateau")}(monitor="loss")'
        save = call(self.s.keras(classes + "ModelCheckpoint"), '"w.h5"', "save_weights_only=True")
        log = f'{self.s.keras(classes + "CSVLogger")}("log.csv")'
        form = self.c.one(
            "none", "inline", "list", "append", "branch", "unseen", "one", "scheduler"
        )
        if form == "none":
            return [], self.c.one("", "callbacks=None", "callbacks=[]")
        if form == "inline":
            return [], f"callbacks=[{', '.join(self.c.some((stop, plateau, save, log), 4))}]"
        if form == "list":
            return [f"cbs = [{', '.join(self.c.some((stop, save, log), 3))}]"], "callbacks=cbs"
        if form == "append":
            return [
                "cbs = []",
                f"cbs.append({self.c.one(save, stop)})",
                f"cbs += [{log}]",
            ], "callbacks=cbs"
        if form == "branch":
            return [
                "cbs = []",
                *inside("if EPOCHS > 2:", [f"cbs.append({self.c.one(stop, save)})"]),
            ], "callbacks=cbs"
        if form == "unseen":
            self.top += inside("def hooks(names):", ["return [eval(name)() for name in names]"])
            return [], 'callbacks=hooks(["print"])'
        if form == "scheduler":
            self.top += inside(
                "def decay(epoch, lr):",
                self.c.one(
                    ["return 0.1 / (epoch + 1)"],
                    ["return lr * 0.9"],
                    [*inside("if epoch > 2:", ["return 0.05"]), "return lr"],
                ),
            )
            return [], f"callbacks=[{self.s.keras(classes + 'LearningRateScheduler')}(decay)]"
        return [f"saver = {save}"], "callbacks=[saver]"

    def fit(self, x: str, y: str, more: list[str]) -> Lines:
        lines, callbacks = self.callbacks()
        epochs = self.c.one("epochs=3", "epochs=EPOCHS")
        verbose = self.c.one(
            "", "verbose=2", "verbose=0", "verbose=1 if EPOCHS else 2", "verbose=VERBOSE"
        )
        if y and "batch_size" not in " ".join(more) and self.c.chance(15):
            given = [x, y, "32", "EPOCHS", self.c.one("2", "VERBOSE"), callbacks, *more]
        else:
            given = [x, y and self.c.one(y, f"y={y}"), epochs, verbose, callbacks, *more]
        made = call("model.fit", *given)
        result = self.c.one(f"history = {made}", made, f"hist = history = {made}")
        return [*lines, result, *(["print(history.history)"] if "history" in result else [])]

    # -- afterwards

    def after(self, test: str) -> Lines:
        options: list[Lines] = [
            ["model.summary()"],
            ['model.save("model.keras")'],
            ['model.save_weights("w.h5")'],
            [
                "score = model.evaluate("
                + test
                + self.c.one("", ", verbose=0", ", verbose=2")
                + ")",
                'print("score", score)',
            ],
            ["print(model.evaluate(" + test + "))"],
            ["predictions = model.predict(np.ones((2, 4)))", "print(predictions.shape)"],
            ['print("done")', 'print("again", EPOCHS)'],
            inside('with open("log.txt", "w") as f:', ['f.write("done")']),
            ['log = open("log.txt", "w")', "print(1, file=log)", "log.close()"],
            inside("if EPOCHS > 3:", ['print("long")']) + inside("else:", ['print("short")']),
        ]
        again = [
            'model.save("model.keras")',
            f'model = {self.s.keras("models.load_model")}("model.keras")',
            "print(model(np.ones((1, 4))))",
        ]
        options.append(again if self.c.chance(15) else ["print(EPOCHS)"])
        chosen = [again] if options[-1] is again else self.c.some(options, 3)
        return [line for lines in chosen for line in lines]

    def body(self) -> Lines:
        """Everything behind the imports, the constants and the definitions."""
        data, x, y, more, test = self.data()
        return [*data, *self.model(), *self.compile(), *self.fit(x, y, more), *self.after(test)]
