"""R05: an optimizer that trains and is made out of sight blocks the file, whatever applies it."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Migration

HEAD = (
    "import copy, functools, pickle\nimport mine\nimport tensorflow as tf\nfrom mine import make\n"
)
HEAD += "from tensorflow.keras.optimizers import SGD, Adam\n\nmodel = tf.keras.Sequential([])\n"
STEP = """
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    gradients = tape.gradient(loss, model.trainable_variables)
    {}.apply_gradients(zip(gradients, model.trainable_variables))
"""
LOOP = "for x in [tf.ones((2, 2)), tf.ones((2, 2))]:" + STEP.format("opt")
TRAINER = (
    "class Trainer:\n    def __init__(self, model, opt=None):\n        self.opt = opt or {}\n\n"
)
TRAINER += "    def step(self, x):" + STEP.format("self.opt").replace("\n    ", "\n        ")
RUN = "trainer.step(tf.ones((2, 2)))\n"
INSIDE = "class Inside(tf.keras.Model):\n    def __init__(self):\n        super().__init__()\n\n\n"
UNSEEN = "nobody can tell where this optimizer is made; its learning rate would not be scaled"


def blocked(text: str) -> list[tuple[str, str]]:
    """Codes and messages of what blocks a program with that text, without what lies behind."""
    found = migrate(HEAD + text).blocked
    return [(finding.code, finding.message.partition(", because")[0]) for finding in found]


def is_scaled(migration: Migration) -> bool:
    return not migration.blocked and "D104" in [step.code for step in migration.steps]


@pytest.mark.parametrize(
    "made",
    [
        "opt = make()",
        "opt = mine.Opt(0.1)",
        "from mine import opt",
        "from mine import *",
        "opt = pickle.load(open('f', 'rb'))",
        "opt = getattr(mine.optimizers, 'Adam')(0.1)",
        "opt = functools.partial(Adam, 0.1)()",
        "kind = Adam if mine.fast else mine.Opt\nopt = kind(0.1)",
        "opt = {'a': SGD, 'b': mine.Opt}[mine.kind](0.1)",
        "opt = make() if mine.fast else Adam(0.1)",
        "opt = Adam(0.1)\nif mine.fast:\n    opt = make()",
        "opt = tf.keras.mixed_precision.LossScaleOptimizer(make())",
        "model.compile('sgd')\nopt = model.optimizer",
        "spare = Adam(0.1)\nopt = {'a': make()}['a']",
    ],
)
def test_a_loop_whose_optimizer_is_made_elsewhere(made: str) -> None:
    assert blocked(f"{made}\n{LOOP}") == [("R05", UNSEEN)]


@pytest.mark.parametrize(
    "made",
    [
        "opt = SGD(0.1)",
        "opt = Adam()",
        "opt = None\nopt = SGD(0.1)",
        "opt = SGD(0.1) if mine.fast else Adam(0.1)",
        "opt = tf.keras.mixed_precision.LossScaleOptimizer(SGD(0.1))",
        "opt = copy.deepcopy(SGD(0.1))",
        "opts = {'a': SGD(0.1)}\nopt = opts['a']",
        "opts = {}\nopts['a'] = SGD(0.1)\nopt = opts['a']",
        "state = mine.State(opt=SGD(0.1))\nopt = state.opt",
        "def build():\n    return model, SGD(0.1)\n\n\n_, opt = build()",
        "@mine.cached\ndef build():\n    return SGD(0.1)\n\n\nopt = build()",
        "model.compile(optimizer=SGD(0.1))\nopt = model.optimizer",
        "class Mine(SGD):\n    pass\n\n\nopt = Mine(0.1)",
        "opt = tf.compat.v1.train.AdamOptimizer(0.1)",
    ],
)
def test_a_loop_whose_optimizer_is_made_in_sight(made: str) -> None:
    assert blocked(f"{made}\n{LOOP}") == []
    assert is_scaled(migrate(f"{HEAD}{made}\n{LOOP}"))


@pytest.mark.parametrize("text", [TRAINER.format("None"), INSIDE + TRAINER.format("None")])
def test_an_optimizer_that_a_trainer_is_given(text: str) -> None:
    assert blocked(f"{text}\ntrainer = Trainer(model, SGD(0.1))\n{RUN}") == []
    for made in ("make()", "mine.settings.opt"):
        assert blocked(f"{text}\ntrainer = Trainer(model, {made})\n{RUN}") == [("R05", UNSEEN)]


def test_an_optimizer_that_a_trainer_may_be_given() -> None:
    text = f"{TRAINER.format('SGD(0.1)')}\ntrainer = Trainer(model)\n{RUN}"
    assert blocked(text) == []
    assert blocked(text.replace("SGD(0.1)\n", "make()\n")) == [("R05", UNSEEN)]


def test_a_parameter_that_nobody_here_passes_is_told_once() -> None:
    text = "def train(opt):\n    for x in [tf.ones((2, 2))]:" + STEP.format("opt").replace(
        "\n", "\n    "
    )
    assert [code for code, _ in blocked(text)] == ["R08", "T01"]
    assert [code for code, _ in blocked(f"{text}\ntrain(make())\n")] == ["R08"]
    assert blocked(f"{text}\ntrain(SGD(0.1))\n") == []


def test_an_optimizer_that_minimizes_is_one_too() -> None:
    text = "opt = {}\nw = tf.Variable(1.0)\nopt.minimize(lambda: w * w, [w])\n"
    assert blocked(text.format("make()")) == [("R05", UNSEEN)]
    assert blocked(text.format("SGD(0.1)")) == []


def test_who_has_a_method_of_that_name_need_not_be_an_optimizer() -> None:
    own = "class Sum:\n    def apply_gradients(self, pairs):\n        pass\n\n\nSum().apply_gradients([])\n"
    assert blocked(f"{own}opt = SGD(0.1)\n{LOOP}") == []


KERAS = """
class Own(tf.keras.Model):
    def compile(self, {signature}):
        super().compile({handed})
        self.second = {second}

"""
OWN_STEP = "    def train_step(self, x):" + STEP.format("self.{used}").replace(
    "\n    ", "\n        "
)
FIT = "\nown = Own()\nown.compile({given})\nown.fit(tf.ones((4, 2)))\n"


def own_model(
    given: str, used: str = "", signature: str = "optimizer", handed: str = "optimizer"
) -> list[str]:
    """What blocks a model with a `compile` of its own, and with a step if it uses an optimizer."""
    text = KERAS.format(signature=signature, handed=handed, second=signature.split(",")[0])
    step = OWN_STEP.replace("model", "self").format(used=used) if used else ""
    return [message for _, message in blocked(text + step + FIT.format(given=given))]


HANDED = "the optimizer that a `compile` of your own hands on to Keras would not be distributed"


def test_what_a_compile_of_ones_own_hands_on_to_keras() -> None:
    for used in ("", "optimizer"):
        assert own_model("SGD(0.1)", used) == []
        assert own_model("make()", used) == [HANDED]
        assert own_model("'sgd'", used) == [HANDED]
        assert own_model("SGD(0.1)", used, handed="") == [HANDED]


@pytest.mark.parametrize("given", ["SGD(0.1)", "make()"])
@pytest.mark.parametrize("is_behind", [True, False])
def test_what_it_makes_the_models_optimizer_itself(given: str, is_behind: bool) -> None:
    """Before `super().compile()` it is replaced by Keras' own, which nobody distributes."""
    lines = ["super().compile()", "self.optimizer = optimizer"][:: 1 if is_behind else -1]
    own = f"class Own(tf.keras.Model):\n    def compile(self, optimizer):\n        {lines[0]}\n"
    step = OWN_STEP.replace("model", "self").format(used="optimizer")
    text = f"{own}        {lines[1]}\n\n{step}" + FIT.format(given=given)
    is_right = is_behind and given != "make()"
    assert (HANDED in [message for _, message in blocked(text)]) is not is_right
    assert not (is_right and blocked(text))


def test_what_it_hands_on_behind_two_stars() -> None:
    for used in ("", "optimizer"):
        signature, handed = "extra, **options", "**options"
        assert own_model("1, optimizer=SGD(0.1)", used, signature, handed) == []
        assert own_model("1, optimizer=make()", used, signature, handed) == [HANDED]
        assert own_model("1, loss='mse'", used, signature, handed) == [HANDED]


def test_an_optimizer_that_it_makes_itself_is_scaled_but_not_wrapped() -> None:
    assert own_model("1", "", handed="SGD(0.1)") == [HANDED]
    assert own_model("1", "optimizer", handed="SGD(0.1)") == []


def test_what_a_step_keeps_for_itself() -> None:
    assert own_model("SGD(0.1)", "second", handed="") == []
    assert own_model("make()", "second", handed="") == [UNSEEN]


REPLACED = "Keras trains with the optimizer that is set here, and nobody would distribute it"
COMPILED = "opt = SGD(0.1)\nmodel.compile(opt, loss='mse')\n{}\nmodel.fit(tf.ones((4, 2)))\n"
SWITCH = """
class Switch(tf.keras.callbacks.Callback):
    def on_epoch_begin(self, epoch, logs=None):
        self.{}.optimizer = Adam(0.1)

"""


@pytest.mark.parametrize(
    "text",
    [
        "model.optimizer = Adam(0.1)",
        "model.optimizer = make()",
        "model.optimizer, others = Adam(0.1), None",
        "def later():\n    return Adam(0.1)\n\n\nmodel.optimizer = later()",
        SWITCH.format("model"),
        "class Own(tf.keras.Model):\n    def freeze(self):\n        self.optimizer = Adam(0.1)\n",
    ],
)
def test_an_optimizer_that_a_model_gets_past_compile(text: str) -> None:
    assert blocked(COMPILED.format(text)) == [("R05", REPLACED)]


@pytest.mark.parametrize(
    "text",
    [
        "model.optimizer = opt",
        "model.optimizer = None if mine.fast else opt",
        "mine.state.optimizer = Adam(0.1)",
        SWITCH.format("other"),
        "class Own(tf.keras.Model):\n    def __init__(self):\n        self.optimizer = Adam(0.1)\n"
        + OWN_STEP.replace("model", "self").format(used="optimizer"),
    ],
)
def test_an_optimizer_that_is_wrapped_or_none_of_keras(text: str) -> None:
    assert blocked(COMPILED.format(text)) == []


def test_what_a_model_of_keras_is_compiled_with_is_not_passed_to_a_compile_of_ones_own() -> None:
    text = (
        "class Pair(tf.keras.Model):\n"
        "    def compile(self, one, other):\n        super().compile()\n"
        "        self.one, self.other = one, other\n\n"
        "    def train_step(self, x):"
        + STEP.format("self.other").replace("\n    ", "\n        ")
        + "        return {}\n\n\n"
        "pair = Pair()\npair.compile(SGD(0.1), SGD(0.2))\npair.fit(tf.ones((2, 2)))\n"
        'model.compile(Adam(), "mse")\nmodel.fit(tf.ones((2, 2)), tf.ones(2))\n'
    )
    assert blocked(text) == []
    assert blocked(text.replace("model.compile(", "other(model).compile(")) != []


@pytest.mark.parametrize(
    ("made", "line", "why"),
    [
        ("opt = make()", 4, "`make` is of another module, `mine`"),
        (
            "opts = {'a': mine.SGD}\nopt = opts[mine.kind](0.1)",
            8,
            "which entry is taken depends on",
        ),
        ("opt = getattr(tf.train, mine.kind)(0.1)", 8, "it depends on `mine.kind`"),
    ],
)
def test_the_place_is_where_the_optimizer_comes_from(made: str, line: int, why: str) -> None:
    text = f"{HEAD}{made}\n{LOOP}"
    (found,) = migrate(text).blocked
    applied = next(n for n, each in enumerate(text.splitlines(), 1) if "apply_gradients" in each)
    assert (found.code, found.line, found.reaches) == ("R05", line, applied)
    assert f", because {why}" in found.message
    assert found.message.endswith(f"; it reaches `apply_gradients` in line {applied}")


def test_one_cause_is_told_once() -> None:
    text = f"opt = make()\n{LOOP}opt.apply_gradients(make())\n{LOOP}"
    assert [code for code, _ in blocked(text)] == ["R05"]


def test_two_models_of_two_classes_are_two() -> None:
    classes = "".join(
        f"class {name}(tf.keras.Model):\n    def call(self, x):\n        return x\n\n\n"
        for name in ("Net", "Other")
    )
    trainer = (
        "class Trainer:\n    def __init__(self, net, other):\n        self.net = net\n"
        '        other.compile("sgd", "mse")\n\n'
        "    def go(self):\n        self.net.fit(tf.ones((2, 2)), tf.ones(2))\n\n\n"
    )
    text = f"import tensorflow as tf\n\n\n{classes}{trainer}"
    assert "R05" in [f.code for f in migrate(f"{text}Trainer(Net(), Other()).go()\n").blocked]
    same = f"{text}net = Net()\nTrainer(net, net).go()\n"
    assert "R05" not in [f.code for f in migrate(same).blocked]


ALONE = "model.fit(x)\n"
LATE = "model.optimizer = Adam(0.1)\n"
LOADED = "m = tf.keras.models.load_model('a')\n"
ELSEWHERE = "this model is compiled elsewhere, with an optimizer that is not distributed"
GIVEN = '.compile(optimizer=tf.keras.optimizers.Adam(learning_rate=0.001), loss="mse")`'


@pytest.mark.parametrize(
    ("text", "lines", "message", "fix"),
    [
        (ALONE, [1], ELSEWHERE, f"compile it in this file: `model{GIVEN}"),
        (
            f"{ALONE}model.evaluate(x)\n{ALONE}",
            [1, 3],
            ELSEWHERE,
            f"compile it in this file: `model{GIVEN}",
        ),
        (f"{LOADED}m.fit(x)\n", [2], ELSEWHERE, f"compile it after loading it: `m{GIVEN}"),
        (
            f"{LOADED}if mine.new:\n    m = tf.keras.Sequential([])\nm.fit(x)\n",
            [4],
            ELSEWHERE,
            f"compile it after loading it: `m{GIVEN}",
        ),
        (
            f"model.compile('sgd')\n{LATE}{ALONE}",
            [2],
            "Keras trains with the optimizer",
            "give it to",
        ),
        (f"model.compile('sgd')\n{LATE}{LATE}{ALONE}", [2, 3], "Keras trains with", "give it to"),
    ],
)
def test_a_model_of_this_file_that_trains_with_what_it_does_not_compile(
    text: str, lines: list[int], message: str, fix: str
) -> None:
    found = [each for each in migrate(HEAD + text).blocked if each.code == "R05"]
    assert [each.line - HEAD.count("\n") for each in found] == lines
    assert all(each.message.startswith(message) for each in found)
    assert not any("because" in each.message for each in found), "the model is in sight"
    assert {each.fix.startswith(fix) for each in found} == {True}


@pytest.mark.parametrize(
    "text",
    [
        f"model.compile('sgd')\n{ALONE}",
        "a = model\na.compile('sgd')\nmodel.fit(x)\n",
        f"{LOADED}m.compile('sgd')\nm.fit(x)\n",
        "model.evaluate(x)\n",
    ],
)
def test_a_model_that_is_compiled_here_is_not_named(text: str) -> None:
    assert "R05" not in [each.code for each in migrate(HEAD + text).blocked]
