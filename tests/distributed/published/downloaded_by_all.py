"""Every worker downloads the data to the same file of Keras' cache, at the same time.

Convicted: H01.
"""

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")


class FarAway(BaseHTTPRequestHandler):
    """Downloads take their time, so no worker finds what another one has already fetched."""

    def do_GET(self):
        time.sleep(3)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(np.random.RandomState(0).rand(64, 4).tobytes())


server = ThreadingHTTPServer(("localhost", 0), FarAway)
threading.Thread(target=server.serve_forever, daemon=True).start()
source = f"http://localhost:{server.server_port}/far.bin"
path = tf.keras.utils.get_file("far.bin", source, cache_dir="kept", cache_subdir="data")
data = np.fromfile(path).reshape(64, 4)
dataset = (
    tf.data.Dataset.from_tensor_slices((data[:, :3], data[:, 3]))
    .batch(hvd.size(), drop_remainder=True)
    .unbatch()
    .shard(hvd.size(), hvd.rank())
    .batch(8)
)

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
optimizer = tf.keras.optimizers.SGD(learning_rate=0.01 * hvd.size())
optimizer = hvd.DistributedOptimizer(optimizer)
model.compile(optimizer, loss="mse")
model.fit(
    dataset,
    epochs=2,
    verbose=0,
    callbacks=[
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
    ],
)
