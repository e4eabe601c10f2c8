import os

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import backend as K
from tensorflow.keras.preprocessing import image
import horovod.tensorflow.keras as hvd

hvd.init()
gpus = tf.config.experimental.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.experimental.set_visible_devices(gpus[hvd.local_rank()], "GPU")
batch_size, epochs, warmup_epochs, base_lr = 32, 90, 5, 0.0125
checkpoint_format = "./checkpoint-{epoch}.h5"
resume_from_epoch = 0
for try_epoch in range(epochs, 0, -1):
    if os.path.exists(checkpoint_format.format(epoch=try_epoch)):
        resume_from_epoch = try_epoch
        break
resume_from_epoch = hvd.broadcast(resume_from_epoch, 0, name="resume_from_epoch")
verbose = 1 if hvd.rank() == 0 else 0
train_iter = image.ImageDataGenerator().flow_from_directory("train", batch_size=batch_size)
test_iter = image.ImageDataGenerator().flow_from_directory("test", batch_size=batch_size)
initial_lr = base_lr * hvd.size()
if resume_from_epoch > 0 and hvd.rank() == 0:
    model = hvd.load_model(checkpoint_format.format(epoch=resume_from_epoch))
else:
    model = keras.applications.resnet50.ResNet50(weights=None)
    opt = keras.optimizers.SGD(learning_rate=initial_lr, momentum=0.9)
    opt = hvd.DistributedOptimizer(opt)
    model.compile(loss=keras.losses.categorical_crossentropy, optimizer=opt, metrics=["accuracy"])
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
    hvd.callbacks.LearningRateWarmupCallback(
        initial_lr=initial_lr, warmup_epochs=warmup_epochs, verbose=verbose
    ),
    hvd.callbacks.LearningRateScheduleCallback(
        initial_lr=initial_lr, multiplier=1.0, start_epoch=warmup_epochs, end_epoch=30
    ),
]
if hvd.rank() == 0:
    callbacks.append(keras.callbacks.ModelCheckpoint(checkpoint_format))
    callbacks.append(keras.callbacks.TensorBoard("./logs"))
model.fit(
    train_iter,
    steps_per_epoch=len(train_iter) // hvd.size(),
    callbacks=callbacks,
    epochs=epochs,
    verbose=verbose,
    initial_epoch=resume_from_epoch,
    validation_data=test_iter,
    validation_steps=3 * len(test_iter) // hvd.size(),
)
score = hvd.allreduce(model.evaluate(test_iter, steps=len(test_iter)))
if verbose:
    print("Test loss:", score[0])
