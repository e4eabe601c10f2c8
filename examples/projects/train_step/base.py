"""How every model of this project learns; what it computes is left to its subclasses."""

import tensorflow as tf


class Learner(tf.keras.Model):
    """A model that clips what it learns from a batch."""

    def __init__(self, clip=1.0, **kwargs):
        super().__init__(**kwargs)
        self.clip = clip
        self.seen = tf.keras.metrics.Mean(name="loss")

    @property
    def metrics(self):
        return [self.seen]

    def compute_batch_loss(self, x, y):
        raise NotImplementedError

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compute_batch_loss(x, y)
        gradients = tape.gradient(loss, self.trainable_variables)
        gradients, _ = tf.clip_by_global_norm(gradients, self.clip)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        self.seen.update_state(loss)
        return {"loss": self.seen.result()}
