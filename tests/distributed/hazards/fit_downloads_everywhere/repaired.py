"""Each worker downloads to a file of its own."""

import threading
import time
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf


class FarAway(SimpleHTTPRequestHandler):
    """Downloads take their time."""

    def do_GET(self):
        time.sleep(3)
        super().do_GET()


hvd.init()
random = np.random.RandomState(0)
np.savez(f"source{hvd.rank()}.npz", x=random.rand(64, 3), y=random.rand(64, 1))
server = ThreadingHTTPServer(("localhost", 0), FarAway)
threading.Thread(target=server.serve_forever, daemon=True).start()
source = f"http://localhost:{server.server_port}/source{hvd.rank()}.npz"
Path(".keras").mkdir(exist_ok=True)
hvd.allreduce(tf.zeros(1), name="all_servers_run")
path = tf.keras.utils.get_file(f"distify{hvd.rank()}.npz", source, cache_dir=".keras")
with np.load(path) as data:
    x, y = data["x"], data["y"]
x, y = x[hvd.rank() :: hvd.size()], y[hvd.rank() :: hvd.size()]

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.01 * hvd.size()))
model.compile(optimizer, loss="mse")
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(x, y, batch_size=8, epochs=2, verbose=0, callbacks=callbacks)
