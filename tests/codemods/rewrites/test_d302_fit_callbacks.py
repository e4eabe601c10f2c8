"""Callbacks run where they belong: all of them on rank 0 alone would hang or drift."""

from __future__ import annotations

import textwrap

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Migration, Options

HEAD = """\
import tensorflow as tf
from tensorflow.keras.callbacks import *
from wandb.keras import WandbCallback

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
# head
"""
OURS = """\
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
"""


def outcome(snippet: str) -> Migration:
    """The migration of the snippet as a part of a Keras program."""
    text = HEAD + textwrap.dedent(snippet).strip("\n ") + "\n"
    return migrate(text, Options(unsound=True, width=88, select=frozenset({"D302"})))


def completed(snippet: str) -> str:
    """What becomes of the snippet."""
    found = outcome(snippet)
    assert not found.blocked
    return found.after.partition("# head\n")[2].rstrip("\n")


def fit(*elements: str) -> str:
    """A call of `fit` with Horovod's callbacks and these lines."""
    inside = "".join(f"        {element},\n" for element in elements)
    return (
        f"model.fit(\n    x,\n    callbacks=[\n{OURS}{inside}    ],\n"
        "    verbose=1 if hvd.rank() == 0 else 0,\n)"
    )


def later(*elements: str, every: str = "") -> str:
    """A call of `fit` whose list rank 0 alone puts these elements in."""
    ours = "".join(f"{line[4:]}\n" for line in OURS.splitlines())
    one, *others = elements
    added = f"callbacks += [{', '.join(elements)}]" if others else f"callbacks.append({one})"
    return (
        f"callbacks = [\n{ours}{every}]\nif hvd.rank() == 0:\n    {added}\n"
        "model.fit(x, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)"
    )


CASES = {
    "none": ("model.fit(x)", fit()),
    "None": ("model.fit(x, callbacks=None)", fit()),
    "an empty list": ("model.fit(x, callbacks=[])", fit()),
    "steering": (
        "model.fit(x, callbacks=[EarlyStopping(), ReduceLROnPlateau()])",
        fit("EarlyStopping()", "ReduceLROnPlateau()"),
    ),
    "writing": (
        "model.fit(x, callbacks=[CSVLogger('a'), TensorBoard()])",
        later("CSVLogger('a')", "TensorBoard()"),
    ),
    "a logger of another library": (
        "model.fit(x, callbacks=[WandbCallback()])",
        later("WandbCallback()"),
    ),
    "by name": (
        "save = ModelCheckpoint('a')\nmodel.fit(x, callbacks=[save])",
        "save = ModelCheckpoint('a')\n" + later("save"),
    ),
    "a tuple": (
        "model.fit(x, callbacks=(EarlyStopping(),))",
        fit("EarlyStopping()").replace("callbacks=[", "callbacks=(").replace("    ],", "    ),"),
    ),
    "not in a list": (
        "model.fit(x, callbacks=EarlyStopping())",
        fit("EarlyStopping()"),
    ),
    "a writer that is not in a list": (
        "model.fit(x, callbacks=CSVLogger('a'))",
        fit("*([CSVLogger('a')] if hvd.rank() == 0 else [])"),
    ),
    "a subclass of a writer": (
        """
        class Best(ModelCheckpoint):
            pass


        model.fit(x, callbacks=[Best('a')])
        """,
        "class Best(ModelCheckpoint):\n    pass\n\n\n" + later("Best('a')"),
    ),
    "functions that only print": (
        "model.fit(x, callbacks=[LambdaCallback(on_epoch_end=lambda n, _: print(n))])",
        later("LambdaCallback(on_epoch_end=lambda n, _: print(n))"),
    ),
    "a list built before": (
        """
        every = [EarlyStopping(), CSVLogger('a')]
        every.append(TensorBoard())
        every.append(ReduceLROnPlateau())
        every += [ModelCheckpoint('a')]
        every.extend([CSVLogger('b')])
        model.fit(x, callbacks=every)
        """,
        """\
every = [EarlyStopping()]
if hvd.rank() == 0:
    every.append(CSVLogger('a'))
    every.append(TensorBoard())
every.append(ReduceLROnPlateau())
if hvd.rank() == 0:
    every += [ModelCheckpoint('a')]
    every.extend([CSVLogger('b')])
"""
        + fit("*every"),
    ),
    "an option of a list": (
        """
        every = [CSVLogger('a'), EarlyStopping()]
        if name:
            every.append(TensorBoard())
        model.fit(x, callbacks=every)
        """,
        """\
every = [EarlyStopping()]
if hvd.rank() == 0:
    every.insert(0, CSVLogger('a'))
    if name:
        every.append(TensorBoard())
"""
        + fit("*every"),
    ),
    "what a function returns": (
        "def make():\n    return [EarlyStopping(), CSVLogger('a')]\n\n\nmodel.fit(x, callbacks=make())",
        "def make():\n    callbacks = [EarlyStopping()]\n    if hvd.rank() == 0:\n"
        "        callbacks.append(CSVLogger('a'))\n    return callbacks\n\n\n" + fit("*make()"),
    ),
    "where the data is made after it": (
        "model.fit(load(), callbacks=[CSVLogger('a')])",
        fit("*([CSVLogger('a')] if hvd.rank() == 0 else [])").replace("    x,", "    load(),"),
    ),
    "a list that a function builds": (
        """
        def make():
            found = [EarlyStopping()]
            found.append(TensorBoard())
            return found


        model.fit(x, callbacks=make())
        """,
        """\
def make():
    found = [EarlyStopping()]
    if hvd.rank() == 0:
        found.append(TensorBoard())
    return found


"""
        + fit("*make()"),
    ),
    "comments and lines stay": (
        """
        model.fit(x,
                  callbacks=[  # all of them
                      # patience
                      EarlyStopping(),  # stops
                      TensorBoard(),
                  ],
                  verbose=0)  # silent
        """,
        """\
callbacks = [  # all of them
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
    # patience
    EarlyStopping(),  # stops
]
if hvd.rank() == 0:
    callbacks.append(TensorBoard())
model.fit(x,
          callbacks=callbacks,
          verbose=0)  # silent""",
    ),
    "by position": (
        "model.fit(x, x, 32, 9, 2, [EarlyStopping()])",
        "model.fit(\n    x,\n    x,\n    32,\n    9,\n    2 if hvd.rank() == 0 else 0,\n    [\n"
        + OURS
        + "        EarlyStopping(),\n    ],\n)",
    ),
}


@pytest.mark.parametrize(("before", "after"), CASES.values(), ids=list(CASES))
def test_each_callback_runs_where_it_belongs(before: str, after: str) -> None:
    assert completed(before) == after


FILTERED = {
    "a parameter": "def train(cb=None):\n    model.fit(x, callbacks=cb)\n\n\ntrain([EarlyStopping()])",
    "a choice": "model.fit(x, callbacks=some if some else None)",
    "a sum": "model.fit(x, callbacks=some + [EarlyStopping()])",
    "an element that can't be told": "model.fit(x, callbacks=[EarlyStopping(), some])",
    "elements of another list": "model.fit(x, callbacks=[*some, EarlyStopping()])",
    "a list that another function may change": (
        "every = [TensorBoard()]\nchange(every)\nmodel.fit(x, callbacks=every)"
    ),
}


@pytest.mark.parametrize("text", FILTERED.values(), ids=list(FILTERED))
def test_a_list_that_cannot_be_followed_is_filtered_by_type(text: str) -> None:
    found = outcome(text)
    assert "or not isinstance(" in found.after
    assert "or []" in found.after
    assert any("can't be seen" in note.message for note in found.notes)


def test_the_filter_keeps_what_it_should() -> None:
    """The text of the filter is run, with stand-ins for the library."""
    code = completed("model.fit(x, callbacks=some)")
    after = outcome("model.fit(x, callbacks=some)").after
    types = after[after.index("WRITING_CALLBACKS = (") :].partition("\n)\n")[0] + "\n)\n"
    writer, other = type("Writer", (), {}), type("Other", (), {})
    names = dict.fromkeys(
        ["ModelCheckpoint", "TensorBoard", "CSVLogger", "ProgbarLogger", "RemoteMonitor"], writer
    )
    for rank, some, kept in (
        (0, [writer(), other()], 4),
        (1, [writer(), other()], 3),
        (1, None, 2),
    ):
        given: dict[str, list[object]] = {}
        hvd = _Horovod(rank)
        tf = _Namespace(keras=_Namespace(callbacks=_Namespace(**names)))
        scope = {"hvd": hvd, "model": _Model(given), "x": 1, "some": some, "tf": tf, **names}
        exec(types + code, scope)
        assert len(given["callbacks"]) == kept


class _Namespace:
    def __init__(self, **values: object) -> None:
        self.__dict__.update(values)


class _Horovod:
    def __init__(self, rank: int) -> None:
        self.rank = lambda: rank
        self.callbacks = _Namespace(
            BroadcastGlobalVariablesCallback=lambda root: "broadcast",
            MetricAverageCallback=lambda: "average",
        )


class _Model:
    def __init__(self, given: dict[str, list[object]]) -> None:
        self._given = given

    def fit(self, x: object, callbacks: list[object], verbose: int) -> None:
        self._given["callbacks"] = callbacks


UNTOUCHED = {
    "another library": "from sklearn import svm\n\nsvm.SVC().fit(x, callbacks=[1])",
    "a method of the program's own class": (
        "class Scaler:\n    def fit(self, x):\n        return x\n\n\nScaler().fit(x)"
    ),
    "a layer that is adapted": "tf.keras.layers.Normalization().adapt(x)",
}


@pytest.mark.parametrize("text", UNTOUCHED.values(), ids=list(UNTOUCHED))
def test_what_is_no_training_of_keras_stays(text: str) -> None:
    assert completed("model.fit(x, verbose=0)\n" + text).endswith(text)


NOTED = {
    "a custom callback": (
        "import web\n\n\nclass Mine(Callback):\n    def on_train_end(self, logs):\n        web.go(logs)\n\n\n"
        "model.fit(x, callbacks=[Mine()])",
        "custom",
    ),
    "functions": ("model.fit(x, callbacks=[LambdaCallback(on_train_end=go)])", "functions"),
    "values after a batch": (
        "model.fit(x, callbacks=[TensorBoard('a', update_freq=9)])",
        "share of worker 0",
    ),
}


@pytest.mark.parametrize(("text", "message"), NOTED.values(), ids=list(NOTED))
def test_what_a_person_should_know_is_noted(text: str, message: str) -> None:
    assert any(message in note.message for note in outcome(text).notes)


SENT = "int(hvd.broadcast({}, root_rank=0))"
OF_FILES = "start = int(os.listdir('ckpt')[-1])\n"
STARTS = {
    "from a listing": (OF_FILES + "model.fit(x, initial_epoch=start)", [SENT.format("start")]),
    "unknown": ("model.fit(x, initial_epoch=found)", [SENT.format("found")]),
    "with its end": (
        OF_FILES + "model.fit(x, initial_epoch=start, epochs=start + 5)",
        ["start = " + SENT.format("start") + "\nmodel"],
    ),
    "with an end of its own": (
        OF_FILES + "end = len(os.listdir('b'))\nmodel.fit(x, initial_epoch=start, epochs=end)",
        ["initial_epoch=" + SENT.format("start"), "epochs=" + SENT.format("end")],
    ),
    "bound in two places": (
        OF_FILES + "if new:\n    start = 0\nmodel.fit(x, initial_epoch=start)",
        ["initial_epoch=" + SENT.format("start")],
    ),
    "with a fixed end": (
        OF_FILES + "model.fit(x, initial_epoch=start, epochs=50)",
        [SENT.format("start")],
    ),
    "as many as there are files": (
        "start = len(os.listdir('ckpt'))\nmodel.fit(x, initial_epoch=start)",
        [SENT.format("start")],
    ),
    "as many as there are examples": ("model.fit(x, initial_epoch=len(x))", []),
    "a number": ("model.fit(x, initial_epoch=3)", []),
    "an unknown end alone": ("model.fit(x, epochs=found)", []),
    "where the last fit ended": (
        "history = model.fit(x)\nmodel.fit(x, initial_epoch=history.epoch[-1] + 1)",
        [],
    ),
    "by a name": (
        "history = model.fit(x)\nlast = history.epoch[-1]\nmodel.fit(x, initial_epoch=last)",
        [],
    ),
    "of something unknown": (
        "model.fit(x, initial_epoch=old.epoch[-1])",
        [SENT.format("old.epoch[-1]")],
    ),
}


@pytest.mark.parametrize("name", STARTS)
def test_rank_zero_tells_at_which_epoch_a_run_goes_on(name: str) -> None:
    text, sent = STARTS[name]
    after = outcome("import os\n" + text).after
    assert [call for call in sent if call in after] == sent
    assert after.count("int(hvd.broadcast(") == len(sent)


JSON = "import json\nh = model.fit(x)\n"


@pytest.mark.parametrize(
    ("dump", "wanted"),
    [
        ("json.dump(h.history, f)", "json.dump(h.history, f, default=float)"),
        (
            "print(json.dumps(h.history, indent=2))",
            "json.dumps(h.history, indent=2, default=float)",
        ),
    ],
)
def test_json_is_told_what_an_average_over_the_workers_is(dump: str, wanted: str) -> None:
    assert wanted in completed(JSON + dump)


@pytest.mark.parametrize(
    "dump",
    [
        "json.dump(h.history, f, default=str)",
        "json.dump(h.history, f, cls=Numbers)",
        "json.dump(h.history, f, **options)",
        "json.dump(h.history, *given)",
        "json.dump(settings, f)\nprint(h)",  # nothing that was measured is read
        "toml.dump(h.history, f)",
    ],
)
def test_other_ways_to_write_stay(dump: str) -> None:
    assert dump in completed(JSON + dump)


def test_what_is_written_before_anything_is_measured_stays() -> None:
    before = "import json\njson.dump(settings, f)\nh = model.fit(x)\nprint(h.history)"
    assert "json.dump(settings, f)\n" in completed(before)


LONG = "ModelCheckpoint('best', monitor='val_loss', save_best_only=True, save_weights_only=True)"
IN_DICTIONARY = "made = {'callbacks': %s}"  # where nothing can be put in later
JOINED = {
    "two": (
        "[CSVLogger('a'), TensorBoard('b')]",
        "[*([CSVLogger('a'), TensorBoard('b')] if hvd.rank() == 0 else [])]",
    ),
    "three, each on its line": (
        "[\n    CSVLogger('a'),\n    TensorBoard('b'),\n    CSVLogger('c'),  # last\n]",
        "[\n    *(\n        [CSVLogger('a'), TensorBoard('b'), CSVLogger('c')] if hvd.rank() == 0 else []\n"
        "    ),  # last\n]",
    ),
    "too long for a line": (
        f"[{LONG}, CSVLogger('a')]",
        "[*([checkpoint, CSVLogger('a')] if hvd.rank() == 0 else [])]",
    ),
    "on several lines": (
        "[\n    CSVLogger(\n        'a'\n    ),\n    CSVLogger('b'),\n]",
        "[\n    *([csv_logger, CSVLogger('b')] if hvd.rank() == 0 else []),\n]",
    ),
}
NAMED = {
    "an argument of its own line": (
        "model.fit(x, callbacks=[\n    ModelCheckpoint(\n        'a',\n    ),\n    EarlyStopping(),\n])",
        "checkpoint = ModelCheckpoint(\n    'a',\n)\nmodel.fit(",
        "    *([checkpoint] if hvd.rank() == 0 else []),\n    EarlyStopping(),\n",
    ),
    "two of a kind": (
        f"made = [\n    {LONG},\n    EarlyStopping(),  # stops\n    {LONG.replace('best', 'last')},\n]\n"
        "model.fit(x, callbacks=made)",
        "checkpoint_2 = ModelCheckpoint(\n    'last', monitor='val_loss', save_",
        "    *([checkpoint] if hvd.rank() == 0 else []),\n    EarlyStopping(),  # stops\n"
        "    *([checkpoint_2] if hvd.rank() == 0 else []),\n",
    ),
    "a comment stays with its element": (
        "model.fit(x, callbacks=[\n    EarlyStopping(),  # stops\n    # keeps\n    CSVLogger(\n        'a'\n    ),\n])",
        "csv_logger = CSVLogger(\n    'a'\n)\nmodel.fit(",
        "    EarlyStopping(),  # stops\n    # keeps\n    *([csv_logger] if hvd.rank() == 0 else []),\n",
    ),
    "a list that begins behind its bracket": (
        "model.fit(x,\n          callbacks=[CSVLogger('a'),\n                     EarlyStopping()])",
        "callbacks=[hvd.callbacks.BroadcastGlobalVariablesCallback(0),\n                     hvd",
        "                     *([CSVLogger('a')] if hvd.rank() == 0 else []),\n                     Early",
    ),
}
UNNAMED = {
    "its argument is not the same before": f"made = [{LONG[:-1]}, mode=next(it))]",
    "it is made for some only": f"made = [{LONG}] if x else []",
    "in a class": f"class Made:\n    callbacks = [{LONG}]\nmade = Made.callbacks",
    "of a library that asks for a run": "made = [wandb.keras.WandbCallback(\n    'a'\n)]",
    "of a class of one's own": "class Mine(ModelCheckpoint):\n    pass\nmade = [Mine(\n    'a'\n)]",
}


@pytest.mark.parametrize(("text", "first", "second"), NAMED.values(), ids=NAMED)
def test_a_long_one_gets_a_name_before_its_list(text: str, first: str, second: str) -> None:
    made = completed(text)
    assert first in made
    assert second in made


@pytest.mark.parametrize("text", UNNAMED.values(), ids=UNNAMED)
def test_what_may_not_be_made_before_stays_in_its_list(text: str) -> None:
    made = outcome(f"{text}\nmodel.fit(x, callbacks=made)").after
    assert "checkpoint = " not in made


APART = {
    "with another between": "[CSVLogger('a'), EarlyStopping(), CSVLogger('b')]",
    "with a comment between": "[\n    CSVLogger('a'),  # mine\n    CSVLogger('b'),\n]",
}


@pytest.mark.parametrize(("made", "wanted"), JOINED.values(), ids=JOINED)
def test_neighbours_share_one_condition(made: str, wanted: str) -> None:
    assert IN_DICTIONARY % wanted in completed(f"{IN_DICTIONARY % made}\nmodel.fit(x, **made)")


@pytest.mark.parametrize("made", APART.values(), ids=APART)
def test_others_have_a_condition_each(made: str) -> None:
    found = completed(f"{IN_DICTIONARY % made}\nmodel.fit(x, **made)")
    assert found.count("else []") == 2


BLOCKED = {
    "an epoch of each worker's own": ("model.fit(x, callbacks=[BackupAndRestore('a')])", "K01"),
    "hidden by a parameter": (
        "def train(**options):\n    model.fit(x, **options)\n\n\ntrain(**a)",
        "K02",
    ),
    "hidden in a dictionary": ("options = load()\nmodel.fit(x, **options)", "K02"),
    "in a dictionary without a name": ("model.fit(x, **{'callbacks': a})", "K02"),
    "in one of two dictionaries": (
        "one, two = {'callbacks': a}, {'epochs': 3}\nmodel.fit(x, **one, **two)",
        "K02",
    ),
    "in a dictionary that may lack it": (
        "options = {'epochs': 3}\nif a:\n    options['callbacks'] = a\nmodel.fit(x, **options)",
        "K02",
    ),
    "in some dictionary": (
        "for options in [{'callbacks': a}, {'callbacks': b}]:\n    model.fit(x, **options)",
        "K02",
    ),
    "an epoch of each worker's own in a dictionary": (
        "options = {'callbacks': [BackupAndRestore('a')]}\nmodel.fit(x, **options)",
        "K01",
    ),
    "hidden by position": ("model.fit(*arguments)", "K02"),
    "hidden behind others": ("model.fit(x, y, *rest, validation_split=0.1)", "K02"),
}


@pytest.mark.parametrize(("text", "code"), BLOCKED.values(), ids=list(BLOCKED))
def test_what_would_make_workers_wait_blocks_the_file(text: str, code: str) -> None:
    assert code in [finding.code for finding in outcome(text).blocked]


@pytest.mark.parametrize("call", ["fit(*pair, epochs=3)", "fit(x, *rest, batch_size=8)"])
def test_nothing_is_hidden_where_a_keyword_passes_an_argument_before(call: str) -> None:
    """Python itself refuses a second value for `epochs`, so the pair ends before it."""
    assert "hvd.callbacks.MetricAverageCallback()" in completed(f"model.{call}")


def test_a_dictionary_in_sight_may_hold_the_rest() -> None:
    found = completed("options = {'epochs': 3}\nmodel.fit(x, **options)")
    assert "hvd.callbacks.MetricAverageCallback()" in found
    assert "    **options,\n)" in found


def test_a_bar_that_a_dictionary_asks_for_is_rank_zeros() -> None:
    found = completed("options = dict(verbose=a)\nmodel.fit(x, **options)\nmodel.fit(x, **options)")
    assert "options = dict(verbose=a if hvd.rank() == 0 else 0)\n" in found
    assert found.count("rank() == 0") == 1


def test_a_dictionary_that_asks_for_no_bar_stays() -> None:
    for level in ("verbose=0", "verbose=a if hvd.rank() == 0 else 0"):
        text = f"import horovod.tensorflow.keras as hvd\noptions = dict({level})\nmodel.fit(x, **options)"
        assert f"options = dict({level})\n" in outcome(text).after


def test_what_rank_zero_tells_is_told_once() -> None:
    head = "import os\nimport tensorflow as tf\nx = tf.ones([8, 1])\n"
    head += "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nmodel.compile('sgd', 'mse')\n"
    after = migrate(head + OF_FILES + "model.fit(x, x, initial_epoch=start)\n").after
    assert SENT.format("start") in after
    assert migrate(after).after == after


# ------------------------------------------------------------------- in a dictionary

TAKEN = """\
model.fit(
    x,
    verbose=verbose,
    **{
        **options,
        "callbacks": [
            hvd.callbacks.BroadcastGlobalVariablesCallback(0),
            hvd.callbacks.MetricAverageCallback(),
            {given},
        ],
    },
)"""
HELD = {
    "a list": (
        "options = dict(callbacks=[EarlyStopping(), CSVLogger('a')])",
        "callbacks = [EarlyStopping()]\nif hvd.rank() == 0:\n    callbacks.append(CSVLogger('a'))\n"
        "options = dict(callbacks=callbacks)",
        '*options["callbacks"]',
    ),
    "a list by name": (
        "made = [CSVLogger('a')]\nmade.append(EarlyStopping())\noptions = dict(callbacks=made)",
        "made = []\nif hvd.rank() == 0:\n    made.append(CSVLogger('a'))\nmade.append(EarlyStopping())\n"
        "options = dict(callbacks=made)",
        '*options["callbacks"]',
    ),
    "one callback": (
        "options = {'callbacks': EarlyStopping()}",
        "options = {'callbacks': EarlyStopping()}",
        'options["callbacks"]',
    ),
}


@pytest.mark.parametrize(("made", "kept", "given"), HELD.values(), ids=list(HELD))
def test_each_fit_gets_a_list_of_its_own_of_what_a_dictionary_holds(
    made: str, kept: str, given: str
) -> None:
    """One callback of a broadcast works once: the second `fit` would keep other weights."""
    found = completed(f"{made}\nmodel.fit(x, **options)\nmodel.fit(x, **options)")
    taken = TAKEN.replace("{given}", given)
    assert found == f"{kept}\n{taken}\n{taken}"


WRAPPER = "def train(**options):\n    {body}model.fit(x, **options)\n\n\n{calls}"
ALL_GIVE = "train(callbacks=[EarlyStopping()])\ntrain(epochs=2, callbacks=[History()])"
SOME_GIVE = "train(callbacks=[EarlyStopping()])\ntrain(epochs=2)"


@pytest.mark.parametrize(
    ("calls", "body", "given"),
    [
        (ALL_GIVE, "", '*options["callbacks"]'),
        (SOME_GIVE, "", '*options.get("callbacks", [])'),
        (ALL_GIVE, "options.pop('callbacks')\n    ", '*options.get("callbacks", [])'),
        (ALL_GIVE, "del options['callbacks']\n    ", '*options.get("callbacks", [])'),
        ("train(epochs=2)", "", "callbacks=[ hvd.callbacks.Broadcast"),
    ],
)
def test_a_function_hands_on_what_its_calls_give(calls: str, body: str, given: str) -> None:
    found = completed(WRAPPER.format(body=body, calls=calls))
    assert given in " ".join(found.split())
    assert found.endswith(calls)


@pytest.mark.parametrize("given", ["callbacks=[History()]", "**{'callbacks': [History()]}"])
def test_functions_hand_on_what_others_hand_on(given: str) -> None:
    """Each may take a name of its own: what its parameter takes does not get to `fit`."""
    calls = f"def run(**options):\n    train(**options)\n\n\nrun({given})"
    found = completed(WRAPPER.format(body="", calls=calls))
    assert '*options.get("callbacks", [])' in found
    own = WRAPPER.format(body="", calls=calls).replace("train(**", "train(callbacks=None, **", 1)
    assert "options.get" not in completed(own)
    assert "callbacks=[" in " ".join(completed(own).split())


@pytest.mark.parametrize(
    "calls",
    [
        "train(callbacks=made())\ntrain()",
        "train(callbacks=[History()])\nprint(train)",
        "train(callbacks=[History()])\ntrain(**load())",
    ],
)
def test_one_whose_calls_hide_a_list_is_refused(calls: str) -> None:
    text = HEAD + WRAPPER.format(body="", calls=calls) + "\n"
    assert {finding.code for finding in migrate(text).blocked} >= {"K02"}


GROWN = [
    "options = {'callbacks': made()}",
    "options = {'callbacks': [EarlyStopping()]}\noptions['callbacks'].append(CSVLogger('a'))",
    "made = [EarlyStopping()]\noptions = {'callbacks': made}\nmade.append(CSVLogger('a'))",
]


@pytest.mark.parametrize("made", GROWN)
def test_a_list_in_a_dictionary_that_nobody_sees_is_filtered(made: str) -> None:
    found = completed(f"{made}\nmodel.fit(x, **options)")
    flat = " ".join(found.split())
    assert "for callback in options[" in flat
    assert "or not isinstance(callback, WRITING_CALLBACKS)" in flat


@pytest.mark.parametrize("made", [made for made, _, _ in HELD.values()])
def test_a_dictionary_is_completed_once(made: str) -> None:
    head = (
        "import tensorflow as tf\nfrom tensorflow.keras.callbacks import *\nx = tf.ones([8, 1])\n"
    )
    head += "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nmodel.compile('sgd', 'mse')\n"
    after = migrate(f"{head}{made}\nmodel.fit(x, x, **options)\n").after
    assert after.count("BroadcastGlobalVariablesCallback") == 1
    again = migrate(after)
    assert not again.blocked
    assert again.after == after
