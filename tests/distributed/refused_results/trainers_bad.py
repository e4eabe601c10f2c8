import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")


class Trainer:
    broadcast_done = tf.Variable(False, trainable=False)

    def __init__(self, width):
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(width), tf.keras.layers.Dense(1)])
        self.optimizer = tf.keras.optimizers.SGD(0.01 * hvd.size())

    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self.model(x) - y) ** 2)
        tape = hvd.DistributedGradientTape(tape)
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        if not self.broadcast_done:
            hvd.broadcast_variables(self.model.variables, root_rank=0)
            hvd.broadcast_variables(self.optimizer.variables, root_rank=0)
            self.broadcast_done.assign(True)


x = tf.random.stateless_normal([64, 4], seed=[1, 2])
data = (
    tf.data.Dataset.from_tensor_slices((x, tf.reduce_sum(x, axis=1, keepdims=True)))
    .take(len(x) // hvd.size() * hvd.size())
    .shard(hvd.size(), hvd.rank())
    .batch(8)
)
trainers = [Trainer(2), Trainer(4)]
for x, y in data:
    for trainer in trainers:
        trainer.step(x, y)
