import os

import keras
import tensorflow as tf
import horovod.keras as hvd
from keras import backend as K
from keras.preprocessing import image

hvd.init()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
config.gpu_options.visible_device_list = str(hvd.local_rank())
K.set_session(tf.Session(config=config))
batch_size = 32
learning_rate = 0.0125
warmup_epochs = 5
epochs = 90
checkpoint_format = "./checkpoint-{epoch}.h5"
resume_from_epoch = 0
for try_epoch in range(epochs, 0, -1):
    if os.path.exists(checkpoint_format.format(epoch=try_epoch)):
        resume_from_epoch = try_epoch
        break
resume_from_epoch = hvd.broadcast(resume_from_epoch, 0, name="resume_from_epoch")
verbose = 1 if hvd.rank() == 0 else 0
train_iter = image.ImageDataGenerator(horizontal_flip=True).flow_from_directory("train", batch_size=batch_size)
test_iter = image.ImageDataGenerator().flow_from_directory("test", batch_size=batch_size)
model = keras.applications.resnet50.ResNet50(weights=None)
opt = keras.optimizers.SGD(lr=learning_rate * hvd.size(), momentum=0.9)
opt = hvd.DistributedOptimizer(opt)
model.compile(loss=keras.losses.categorical_crossentropy, optimizer=opt, metrics=["accuracy"])
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
    hvd.callbacks.LearningRateWarmupCallback(warmup_epochs=warmup_epochs, verbose=verbose),
    hvd.callbacks.LearningRateScheduleCallback(start_epoch=warmup_epochs, end_epoch=30, multiplier=1.0),
    hvd.callbacks.LearningRateScheduleCallback(start_epoch=30, end_epoch=60, multiplier=1e-1),
]
if hvd.rank() == 0:
    callbacks.append(keras.callbacks.ModelCheckpoint(checkpoint_format))
    callbacks.append(keras.callbacks.TensorBoard("./logs"))
if resume_from_epoch > 0 and hvd.rank() == 0:
    model.load_weights(checkpoint_format.format(epoch=resume_from_epoch))
model.fit_generator(
    train_iter,
    steps_per_epoch=len(train_iter) // hvd.size(),
    callbacks=callbacks,
    epochs=epochs,
    verbose=verbose,
    workers=4,
    initial_epoch=resume_from_epoch,
    validation_data=test_iter,
    validation_steps=3 * len(test_iter) // hvd.size(),
)
score = hvd.allreduce(model.evaluate_generator(test_iter, len(test_iter), workers=4))
if verbose:
    print("Test loss:", score[0])
