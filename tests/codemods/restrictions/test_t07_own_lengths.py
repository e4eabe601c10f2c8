"""Lists that each worker fills for itself, and training steps counted by how long they are."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

PROGRAM = """\
import random
from collections import deque

import gym
import numpy as np
from tensorflow import keras

{seeds}
model = keras.Sequential([keras.layers.Dense(2)])
model.compile("adam", "mse")
env = gym.make("CartPole-v1")
memory = deque(maxlen=2000)


def play():
    state = env.reset()
    for _ in range(200):
        action = np.argmax(model.predict(state))
        state, reward, done, _ = env.step(action)
        {put}
        {leave}


for episode in range(100):
    play()
    {train}
"""
PUT, LEAVE = "memory.append((state, reward))", "if done:\n            break"
OWN = {
    "each": "for state, target in memory:\n        model.fit(state, target)",
    "sampled": "for s, t in random.sample(memory, min(len(memory), 32)):\n        model.fit(s, t)",
    "chosen": (
        "n = min(32, len(memory))\n    for i in np.random.choice(len(memory), n):\n"
        "        model.fit(*memory[i])"
    ),
    "counted": "for i in range(len(memory) // 32):\n        model.fit(*memory[i])",
    "asked": "if len(memory) > 64:\n        model.fit(*memory[0])",
    "while": "while len(memory) > 3:\n        model.fit(*memory.popleft())",
}
ALIKE = {
    "constant": "for _ in range(32):\n        model.fit(*random.choice(memory))",
    "sampled": "for s, t in random.sample(memory, 32):\n        model.fit(s, t)",
    "indices": "for i in np.random.randint(0, len(memory), 32):\n        model.fit(*memory[i])",
    "shown": "print(len(memory))\n    model.fit(*memory[0])",
}


def program(train: str, put: str = PUT, leave: str = LEAVE, seeds: str = "") -> str:
    return PROGRAM.format(train=train, put=put, leave=leave, seeds=seeds)


def own(text: str) -> list[str]:
    found = migrate(text).blocked
    return [f.message for f in found if f.code == "K04" or "a step is taken" in f.message]


@pytest.mark.parametrize("train", OWN.values(), ids=OWN)
def test_steps_are_counted_by_what_one_worker_has_seen(train: str) -> None:
    assert len(own(program(train))) == 1


@pytest.mark.parametrize("train", ALIKE.values(), ids=ALIKE)
def test_the_same_number_of_steps_may_draw_from_it(train: str) -> None:
    assert not own(program(train))


@pytest.mark.parametrize("train", OWN.values(), ids=OWN)
def test_a_memory_of_one_length_is_no_matter(train: str) -> None:
    assert not own(program(train, leave="pass"))
    assert not own(program(train, put="pass"))


def test_by_hand_split_examples() -> None:
    split = "for x in range(10):\n    if random.random() < 0.8:\n        memory.append(x)"
    text = program(OWN["counted"], put="pass", leave="pass")
    text = text.replace("for episode", f"{split}\nfor episode")
    assert own(text)
    assert not own(text.replace("import gym", "import gym\nrandom.seed(0)"))
