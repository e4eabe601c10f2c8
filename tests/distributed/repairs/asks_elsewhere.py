"""What ends the loop is asked of another program: nobody can tell whether all get the same answer.

Repair: A26.
"""

import os
import subprocess

import tensorflow as tf

w = tf.Variable(1.0)
opt = tf.keras.optimizers.SGD(0.1)
command = [os.environ.get("ASKED", "echo 5")]  # for a shell
enough = int(subprocess.getstatusoutput(command)[1])
for step in range(20):
    with tf.GradientTape() as tape:
        loss = (w - 2.0) ** 2
    opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
    if step >= enough:
        break
