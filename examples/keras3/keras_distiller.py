"""Knowledge distillation: a compile and a compute_loss of its own, behind a teacher's fit."""

import keras
import numpy as np
from keras import layers, ops


class Distiller(keras.Model):
    """Trains a student to answer as its teacher does."""

    def __init__(self, student, teacher):
        super().__init__()
        self.teacher = teacher
        self.student = student

    def compile(self, optimizer, metrics, student_loss_fn, distillation_loss_fn, alpha=0.1):
        super().compile(optimizer=optimizer, metrics=metrics)
        self.student_loss_fn = student_loss_fn
        self.distillation_loss_fn = distillation_loss_fn
        self.alpha = alpha

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        teacher_pred = self.teacher(x, training=False)
        student_loss = self.student_loss_fn(y, y_pred)
        distillation_loss = self.distillation_loss_fn(
            ops.softmax(teacher_pred), ops.softmax(y_pred)
        )
        return self.alpha * student_loss + (1 - self.alpha) * distillation_loss

    def call(self, x):
        return self.student(x)


x = np.random.default_rng(0).normal(size=(401, 8)).astype("float32")
y = np.argmax(x[:, :4], axis=1)

teacher = keras.Sequential([keras.Input((8,)), layers.Dense(32, "relu"), layers.Dense(4)])
teacher.compile(
    optimizer=keras.optimizers.Adam(),
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
teacher.fit(x, y, epochs=2, batch_size=40)
teacher.trainable = False

student = keras.Sequential([keras.Input((8,)), layers.Dense(4)])
distiller = Distiller(student=student, teacher=teacher)
distiller.compile(
    optimizer=keras.optimizers.Adam(),
    metrics=[keras.metrics.SparseCategoricalAccuracy()],
    student_loss_fn=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    distillation_loss_fn=keras.losses.KLDivergence(),
)
distiller.fit(x, y, epochs=2, batch_size=40)
student.save("keras_distiller.keras")
