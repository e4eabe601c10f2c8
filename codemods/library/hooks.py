"""Methods that libraries call while a model is trained: of callbacks, hooks of sessions, models.

https://keras.io/api/callbacks/base_callback
"""

from __future__ import annotations

# Of Keras' callbacks, for each batch that is trained on: those that begin it, and that end it.
BATCH_BEGINS = ("on_batch_begin", "on_train_batch_begin")
BATCH_ENDS = ("on_batch_end", "on_train_batch_end")
OF_BATCHES = (*BATCH_BEGINS, *BATCH_ENDS)
OF_EPOCHS = ("on_epoch_begin", "on_epoch_end")
# They see weights that have been trained: behind a batch, an epoch, or before a validation.
BEHIND_STEPS = (*BATCH_ENDS, "on_epoch_end", "on_train_end", "on_test_begin", "on_test_end")
# Of a session's hooks, in each of its runs; of models and layers, in each step.
OF_RUNS = ("before_run", "after_run")
OF_STEPS = ("train_step", "call")
