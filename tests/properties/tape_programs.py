"""Programs that train in a loop of their own."""

from __future__ import annotations

from .choices import Choices, Lines, call, chain, inside
from .keras_programs import KerasProgram


class TapeProgram(KerasProgram):
    """Draws a program with one or two optimizers and a loop around a tape."""

    def __init__(self, choices: Choices) -> None:
        super().__init__(choices)
        self.tape = self.s.tf("GradientTape")

    # -- what is trained on

    def dataset(self) -> tuple[Lines, str]:
        """Lines, and the iterable of pairs."""
        arrays = ["x = np.random.rand(1000, 4)", "y = np.random.rand(1000, 1)"]
        slices = f"{self.s.tf('data.Dataset.from_tensor_slices')}((x, y))"
        shuffle = self.c.one("", "shuffle(1000)", "shuffle(1000, seed=3)")
        made = chain(slices, shuffle, self.c.one("batch(20)", "batch(20, True)"))
        form = self.c.one("plain", "take", "arrays", "endless")
        if form == "take":
            return [*arrays, f"dataset = {made}"], self.c.one(
                "dataset.take(30)", "dataset.take(COUNT)"
            )
        if form == "endless":
            return [
                *arrays,
                f"dataset = {chain(slices, 'shuffle(10)', 'repeat()', 'batch(8)')}",
            ], "dataset.take(COUNT)"
        return [*arrays, f"dataset = {made}"], "dataset"

    def networks(self, names: tuple[str, ...]) -> Lines:
        dense = self.s.keras("layers.Dense")
        return [
            f"{name} = {self.s.keras('Sequential')}([{dense}(8), {dense}(1)])" for name in names
        ]

    def optimizer(self, name: str) -> Lines:
        cls = self.c.one("Adam", "SGD", "RMSprop")
        kind = self.s.keras(f"optimizers.{cls}")
        if self.c.chance(20):
            return [
                f"{name}_schedule = {self.schedule()}",
                f"{name} = {call(kind, name + '_schedule')}",
            ]
        return [f"{name} = {call(kind, self.rate())}"]

    # -- one step

    def loss(self) -> str:
        mean = self.s.tf("reduce_mean")
        return self.c.one(
            f"loss = {mean}((model(x, training=True) - y) ** 2)",
            f"loss = {mean}({self.s.tf('square')}(model(x) - y))",
        )

    def clipped(self) -> Lines:
        clip = self.s.tf("clip_by_global_norm")
        by_value = self.s.tf("clip_by_value")
        return self.c.one(
            [],
            [],
            [f"gradients, _ = {clip}(gradients, 1.0)"],
            [f"gradients = [{by_value}(g, -1.0, 1.0) for g in gradients]"],
            ["gradients = [g for g in gradients]"],
        )

    def applied(self, optimizer: str, variables: str, gradients: str = "gradients") -> Lines:
        pairs = f"zip({gradients}, {variables})"
        return self.c.one(
            [f"{optimizer}.apply_gradients({pairs})"],
            [call(f"{optimizer}.apply_gradients", f"list({pairs})")],
            [call(f"{optimizer}.apply_gradients", f"grads_and_vars={pairs}")],
            [f"pairs = list({pairs})", f"{optimizer}.apply_gradients(pairs)"],
            [f"train_op = {optimizer}.apply_gradients({pairs})"],
        )

    def step(self, optimizer: str = "optimizer") -> Lines:
        form = self.c.one(
            "plain", "variables", "watch", "persistent", "penalty", "inside", "single"
        )
        model = "model.trainable_variables"
        if form == "penalty":
            inner = [
                *inside(f"with {self.tape}() as inner:", ["inner.watch(x)", "score = model(x)"]),
                "slopes = inner.gradient(score, x)",
            ]
            loss = [*inner, f"loss = {self.s.tf('reduce_mean')}((slopes - 1) ** 2)"]
            block = inside(f"with {self.tape}() as tape:", loss)
            return [
                *block,
                f"gradients = tape.gradient(loss, {model})",
                *self.applied(optimizer, model),
            ]
        if form == "inside":
            lines = [self.loss(), f"gradients = tape.gradient(loss, {model})"]
            return [*inside(f"with {self.tape}() as tape:", lines), *self.applied(optimizer, model)]
        if form == "persistent":
            block = inside(f"with {self.tape}(persistent=True) as tape:", [self.loss()])
            return [
                *block,
                f"gradients = tape.gradient(loss, {model})",
                *self.applied(optimizer, model),
                "del tape",
            ]
        if form == "single":
            block = inside(
                f"with {self.tape}() as tape:", ["loss = (bias - 1.0) ** 2 + 0 * model(x)[0, 0]"]
            )
            self.single = True
            return [
                *block,
                "g = tape.gradient(loss, bias)",
                f"{optimizer}.apply_gradients([(g, bias)])",
            ]
        lines = inside(
            f"with {self.tape}() as tape:",
            [*(["tape.watch(x)"] if form == "watch" else []), self.loss()],
        )
        if form == "variables":
            lines, model = [*lines, f"variables = {model}"], "variables"
        return [
            *lines,
            f"gradients = tape.gradient(loss, {model})",
            *self.clipped(),
            *self.applied(optimizer, model),
        ]

    # -- the loop

    def loop(self, body: Lines, data: str) -> Lines:
        form = self.c.one("for", "enumerate", "tqdm", "print")
        inner = [*body]
        if form == "enumerate":
            show = inside("if i % 10 == 0:", ['print("step", i, float(loss))'])
            loop = inside(f"for i, (x, y) in enumerate({data}):", [*inner, *show])
        elif form == "tqdm":
            self.s.module("from tqdm import tqdm")
            loop = inside(f"for x, y in tqdm({data}):", inner)
        else:
            loop = inside(f"for x, y in {data}:", inner)
        after = self.c.one(
            [],
            ['print(f"epoch {epoch}: {float(loss):.3f}")'],
            ['print("epoch", epoch)', 'model.save_weights(f"w{epoch}.h5")'],
        )
        return inside("for epoch in range(EPOCHS):", [*loop, *after, *self.saved()])

    def saved(self) -> Lines:
        if not self.with_checkpoint:
            return []
        return self.c.one(
            ["manager.save()"],
            ["path = manager.save()", 'print("saved", path)'],
            ['ckpt.save("ckpt")'],
        )

    def body(self) -> Lines:
        self.single = False
        self.with_checkpoint = self.c.chance(30)
        data, iterable = self.dataset()
        form = self.c.one("inline", "function", "compiled", "class", "gan", "arguments")
        if form == "gan":
            return self._gan(data, iterable)
        if form == "class":
            return self._class_form(data, iterable)
        set_up = [
            *data,
            *self.networks(("model",)),
            *self.optimizer("optimizer"),
            *self._checkpoint(),
        ]
        step = self.step()
        if self.single:
            set_up.append(f"bias = {self.s.tf('Variable')}(0.0)")
        if form == "inline":
            return [*set_up, *self._summary(), *self.loop(step, iterable), *self._end()]
        head = (
            "def train_step(x, y):"
            if form != "arguments"
            else "def train_step(model, optimizer, x, y):"
        )
        given = "x, y" if form != "arguments" else "model, optimizer, x, y"
        decorator = [f"@{self.s.tf('function')}"] if form == "compiled" or self.c.chance(50) else []
        function = [*decorator, *inside(head, [*step, "return loss"])]
        if form == "arguments" and not self.single:
            self.top += function
            function = []
        return [
            *set_up,
            *function,
            *self.loop([f"loss = train_step({given})"], iterable),
            *self._end(),
        ]

    def _checkpoint(self) -> Lines:
        if not self.with_checkpoint:
            return []
        lines = [
            f"ckpt = {call(self.s.tf('train.Checkpoint'), 'optimizer=optimizer', 'model=model')}",
            f'manager = {self.s.tf("train.CheckpointManager")}(ckpt, "ckpts", max_to_keep=3)',
        ]
        return [*lines, *self.c.one([], ["ckpt.restore(manager.latest_checkpoint)"])]

    def _summary(self) -> Lines:
        if not self.c.chance(20):
            return []
        return [f'writer = {self.s.tf("summary.create_file_writer")}("logs")']

    def _end(self) -> Lines:
        return self.c.one(
            [], ['print("done")'], ['model.save("model.h5")'], ["print(next(iter(dataset)))"]
        )

    def _class_form(self, data: Lines, iterable: str) -> Lines:
        self.with_checkpoint = False
        step = [
            line.replace("model", "self.model").replace("optimizer.", "self.optimizer.")
            for line in self.step()
        ]
        made = self.optimizer("self.optimizer")
        setup = [line.replace("self.optimizer_schedule", "schedule") for line in made]
        decorator = self.c.one([], [f"@{self.s.tf('function')}"])
        loop = self.loop(["loss = self.step(x, y)"], "data")
        loop = [line.replace("model.save", "self.model.save") for line in loop]
        bias = [f"self.bias = {self.s.tf('Variable')}(0.0)"] if self.single else []
        step = [line.replace("bias", "self.bias") for line in step] if self.single else step
        self.top += inside(
            "class Trainer:",
            [
                *inside("def __init__(self, model):", ["self.model = model", *setup, *bias]),
                *decorator,
                *inside("def step(self, x, y):", [*step, "return loss"]),
                *inside("def train(self, data):", loop),
            ],
        )
        return [
            *data,
            *self.networks(("model",)),
            "trainer = Trainer(model)",
            f"trainer.train({iterable})",
            *self._end(),
        ]

    def _gan(self, data: Lines, iterable: str) -> Lines:
        self.with_checkpoint = False
        mean = self.s.tf("reduce_mean")
        losses = [
            f"g_loss = -{mean}(critic(model(x)))",
            f"c_loss = {mean}(critic(model(x))) - {mean}(critic(x))",
        ]
        both = self.c.one("two", "persistent", "nested")
        if both == "two":
            block = inside(f"with {self.tape}() as g_tape, {self.tape}() as c_tape:", losses)
            tapes = ("g_tape", "c_tape")
        elif both == "nested":
            block = inside(
                f"with {self.tape}() as g_tape:", inside(f"with {self.tape}() as c_tape:", losses)
            )
            tapes = ("g_tape", "c_tape")
        else:
            block = inside(f"with {self.tape}(persistent=True) as t:", losses)
            tapes = ("t", "t")
        step = [
            *block,
            f"g_grads = {tapes[0]}.gradient(g_loss, model.trainable_variables)",
            f"c_grads = {tapes[1]}.gradient(c_loss, critic.trainable_variables)",
            *self.applied("g_opt", "model.trainable_variables", "g_grads"),
            *self.applied("c_opt", "critic.trainable_variables", "c_grads"),
            "loss = g_loss + c_loss",
        ]
        set_up = [
            *data,
            *self.networks(("model", "critic")),
            *self.optimizer("g_opt"),
            *self.optimizer("c_opt"),
        ]
        if self.c.chance(50):
            decorator = self.c.one([], [f"@{self.s.tf('function')}"])
            function = [*decorator, *inside("def train_step(x):", [*step, "return loss"])]
            return [*set_up, *function, *self.loop(["loss = train_step(x)"], iterable)]
        return [*set_up, *self.loop(step, iterable)]
