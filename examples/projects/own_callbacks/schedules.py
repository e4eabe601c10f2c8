"""Rates of the project's own."""

import tensorflow as tf


class WarmUp(tf.keras.optimizers.schedules.LearningRateSchedule):
    """A rate that grows for some steps, and falls from then on."""

    def __init__(self, peak, steps):
        super().__init__()
        self.peak = peak
        self.steps = steps

    def __call__(self, step):
        step = tf.cast(step, tf.float32) + 1.0
        return self.peak * tf.minimum(step / self.steps, tf.sqrt(self.steps / step))

    def get_config(self):
        return {"peak": self.peak, "steps": self.steps}
