import keras
import tensorflow as tf
import horovod.keras as hvd
from keras import backend as K
from keras.datasets import mnist
from keras.layers import Dense, Flatten
from keras.models import Sequential
from keras.preprocessing.image import ImageDataGenerator

hvd.init()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
config.gpu_options.visible_device_list = str(hvd.local_rank())
K.set_session(tf.Session(config=config))
batch_size, epochs = 128, 24
(x_train, y_train), (x_test, y_test) = mnist.load_data()
model = Sequential([Flatten(), Dense(10, activation="softmax")])
opt = keras.optimizers.Adadelta(lr=1.0 * hvd.size())
opt = hvd.DistributedOptimizer(opt)
model.compile(loss=keras.losses.categorical_crossentropy, optimizer=opt, metrics=["accuracy"])
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
    hvd.callbacks.LearningRateWarmupCallback(warmup_epochs=5, verbose=1),
    keras.callbacks.ReduceLROnPlateau(patience=10, verbose=1),
]
if hvd.rank() == 0:
    callbacks.append(keras.callbacks.ModelCheckpoint("./checkpoint-{epoch}.h5"))
train_gen = ImageDataGenerator(rotation_range=8, width_shift_range=0.08)
test_gen = ImageDataGenerator()
train_batches = len(x_train) // batch_size
test_batches = len(x_test) // batch_size
model.fit_generator(
    train_gen.flow(x_train, y_train, batch_size=batch_size),
    steps_per_epoch=train_batches // hvd.size(),
    callbacks=callbacks,
    epochs=epochs,
    verbose=1,
    validation_data=test_gen.flow(x_test, y_test, batch_size=batch_size),
    validation_steps=3 * test_batches // hvd.size(),
)
score = model.evaluate(x_test, y_test, verbose=0)
print("Test loss:", score[0])
