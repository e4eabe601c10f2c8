"""What a file says that a program only reads is the same on all workers, as the program is."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

PROGRAM = """\
import argparse, glob, json, os, random, shutil, sys
import tensorflow as tf
import yaml

args = argparse.ArgumentParser().parse_args()
{read}
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1)
data = tf.data.Dataset.from_tensor_slices(x).batch(8)
epoch = 0
while epoch < cfg["epochs"]:
    for a in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(a))
        opt.apply_gradients(zip(tape.gradient(loss, model.weights), model.weights))
    epoch += 1
{write}
"""
READ = 'with open("cfg.json") as f:\n    cfg = json.load(f)'
INPUTS = {
    "a name": (READ, ""),
    "an option": ("with open(args.config) as f:\n    cfg = yaml.safe_load(f)", ""),
    "an argument": ("cfg = json.load(open(sys.argv[1], 'r'))", ""),
    "a part of a path": ('cfg = json.load(open(os.path.join(args.out, "cfg.json")))', ""),
    "beside another that is written": (READ, 'open("log.json", "w").write(str(epoch))'),
    "in a function": (
        "def load(path):\n    return yaml.safe_load(open(path))\n\ncfg = load('a')",
        "",
    ),
    "in a folder where others are written": (
        'cfg = json.load(open(os.path.join(args.out, "cfg.json")))',
        'json.dump({}, open(os.path.join(args.out, "log.json"), "w"))',
    ),
    "without which it ends": (
        "try:\n    cfg = json.load(open('a'))\nexcept:\n    print('no file')\n    sys.exit(0)",
        "",
    ),
    "beside the program": (
        'cfg = json.load(open(os.path.join(os.path.dirname(__file__), "cfg.json")))',
        "",
    ),
    "where only the parsing can fail": (
        "try:\n    cfg = yaml.safe_load(open('a'))\nexcept yaml.YAMLError as error:\n    print(error)",
        "",
    ),
}
OWN = {
    "written by the run": (READ, 'json.dump(cfg, open("cfg.json", "w"))'),
    "copied to": (READ, 'shutil.copy("a.json", "cfg.json")'),
    "put in its place": (READ, 'os.replace("a.json", "cfg.json")'),
    "written by a function that writes others": (
        READ,
        "def put(path):\n    open(path, 'w').write('1')\n\nput('b')\nput('cfg.json')",
    ),
    "an option that is written": (
        "cfg = json.load(open(args.state))",
        "json.dump(cfg, open(args.state, 'w'))",
    ),
    "one that may be missing": (
        f"cfg = {{}}\nif os.path.exists('cfg.json'):\n    cfg = 1\n    {READ.splitlines()[0]}\n        cfg = json.load(f)",
        "",
    ),
    "one that a caller looks for": (
        "def load(path):\n    return json.load(open(path))\n\ncfg = {'epochs': 1}\n"
        "if os.path.exists('a'):\n    cfg = load('a')",
        "",
    ),
    "without which it goes on": (
        "try:\n    cfg = json.load(open('a'))\nexcept FileNotFoundError:\n    cfg = {'epochs': 1}",
        "",
    ),
    "without which one handler goes on": (
        "try:\n    cfg = json.load(open('a'))\nexcept KeyError:\n    sys.exit(0)\n"
        "except FileNotFoundError:\n    cfg = {'epochs': 1}",
        "",
    ),
    "the last of a folder": ("cfg = json.load(open(sorted(glob.glob('*.json'))[-1]))", ""),
    "drawn from it": (READ + "\ncfg = {'epochs': random.choice(cfg['all'])}", ""),
    "to update": ("cfg = json.load(open('a', 'r+'))", ""),
}


def blocked(read: str, write: str) -> list[str]:
    return [each.code for each in migrate(PROGRAM.format(read=read, write=write)).blocked]


@pytest.mark.parametrize(("read", "write"), INPUTS.values(), ids=INPUTS)
def test_what_is_there_before_the_run_is_the_same_for_all(read: str, write: str) -> None:
    assert blocked(read, write) == []


@pytest.mark.parametrize(("read", "write"), OWN.values(), ids=OWN)
def test_what_a_run_writes_may_be_each_workers_own(read: str, write: str) -> None:
    assert "T07" in blocked(read, write)


def test_a_count_that_all_have_is_not_told() -> None:
    text = PROGRAM.replace("while epoch <", "for epoch in range(").replace(
        '"epochs"]:\n    for', '"epochs"]):\n    for'
    )
    found = migrate(text.format(read=READ, write=""))
    assert 'for epoch in range( cfg["epochs"]):' in found.after
