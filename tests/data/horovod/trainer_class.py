import tensorflow as tf
import horovod.tensorflow as hvd


class Trainer:
    def __init__(self, data):
        self.rank, self.size = hvd.rank(), hvd.size()
        self.is_chief = self.rank == 0
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        self.opt = tf.keras.optimizers.Adam(1e-3 * self.size)
        self.data = data.shard(self.size, self.rank).repeat().batch(8)
        self.checkpoint = tf.train.Checkpoint(model=self.model, opt=self.opt)

    @tf.function
    def step(self, batch, first):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self.model(batch) ** 2)
        tape = hvd.DistributedGradientTape(tape)
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.model.trainable_variables))
        if first:
            hvd.broadcast_variables(self.model.variables, root_rank=0)
            hvd.broadcast_variables(self.opt.variables, root_rank=0)
        return loss

    def train(self, steps):
        for i, batch in enumerate(self.data.take(steps // self.size)):
            loss = self.step(batch, i == 0)
            mean = hvd.allreduce(loss)
            if self.is_chief and i % 10 == 0:
                print(i, float(mean))
        if self.is_chief:
            self.checkpoint.save("ckpt")


def main():
    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    if gpus:
        tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
    Trainer(tf.data.Dataset.from_tensor_slices(tf.ones((100, 4)))).train(1000)


if __name__ == "__main__":
    main()
