"""What calling a library thing gives: one row an API, the first that matches counts.

The roles are words; `facts` says what they mean for the training.
"""

from __future__ import annotations

from .first_row import Rows
from .names import KERAS

_OPTIMIZERS = KERAS + r"\.optimizers\.(?:legacy\.|experimental\.)?"
# Libraries whose classes and functions give models of Keras, with weights from a file or their own.
MODEL_LIBRARIES = (
    *("transformers.TF", "keras_hub.models.", "keras_nlp.models.", "keras_cv.models."),
    *("segmentation_models.", "efficientnet."),
)
# Called on the class, the other methods take a dataset: `Dataset.filter(dataset, …)`.
_DATASET_MAKERS = r"from_\w+|range|zip|list_files|load|random|counter|\w+_from_datasets"
_MODELS_ELSEWHERE = (
    r"transformers\.TF(?!Train|Shared|Sequence)[A-Z]\w*$",
    r"keras_(?:hub|nlp|cv)\.models\.(?!\w*(?:Tokenizer|Preprocessor|Converter)$)[A-Z]\w*$",
    r"segmentation_models\.(?:Unet|Linknet|FPN|PSPNet)$",
    r"efficientnet\.(?:tf)?keras\.EfficientNet\w*$",
)
_ROWS: tuple[tuple[str, str | None], ...] = (
    (_OPTIMIZERS + r"(?:schedules\.)?LearningRateSchedule$", "schedule"),
    (_OPTIMIZERS + r"schedules\.[A-Z]\w*$", "schedule"),
    (KERAS + r"\.experimental\.(?:\w*Decay\w*)$", "schedule"),
    (_OPTIMIZERS + r"LossScaleOptimizer$", "loss scale"),
    (KERAS + r"\.mixed_precision\.LossScaleOptimizer(?:V\d)?$", "loss scale"),
    (_OPTIMIZERS + r"(?:[A-Z]\w*|get|deserialize)$", "optimizer"),
    (r"tensorflow_addons\.optimizers\.[A-Z]\w*$", "optimizer"),
    (r"tensorflow(?:\.compat\.v1)?\.train\.\w*Optimizer$", "optimizer"),
    (r"tensorflow\.data\.make_\w+_iterator$", None),
    (rf"tensorflow\.data\.Dataset\.(?:{_DATASET_MAKERS})$", "dataset"),
    (r"tensorflow\.data\.(?:experimental\.)?(?:\w+Dataset|make_\w+)$", "dataset"),
    (
        KERAS + r"\.(?:utils|preprocessing)\.(?:image_|text_|audio_|timeseries_)?dataset_from_\w+$",
        "dataset",
    ),
    (KERAS + r"\.(?:utils|preprocessing(?:\.\w+)?)\.\w+_dataset_from_\w+$", "dataset"),
    (KERAS + r"\.(?:Sequential|Model)$", "model"),
    (KERAS + r"\.models\.(?:load_model|clone_model|model_from_\w+)$", "model"),
    (KERAS + r"\.saving\.load_model$", "model"),
    (KERAS + r"\.applications\.(?:\w+\.)?[A-Z]\w*$", "model"),
    *((name, "model") for name in _MODELS_ELSEWHERE),
    (r"tensorflow\.train\.Checkpoint$", "checkpoint"),
    (r"tensorflow\.(?:compat\.v1\.)?train\.Saver$", "checkpoint"),
    (r"tensorflow\.train\.CheckpointManager$", "manager"),
    (r"tensorflow\.GradientTape$", "tape"),
    (r"horovod\.(?:tensorflow\.)?keras\.DistributedOptimizer$", "optimizer"),
    (r"horovod\.tensorflow\.(?:Partial)?DistributedOptimizer$", "optimizer"),
    (r"horovod\.tensorflow\.(?:Partial)?DistributedGradientTape$", "tape"),
    (r"horovod\.(?:tensorflow\.)?keras\.load_model$", "model"),
    (KERAS + r"\.callbacks\.(?:experimental\.)?[A-Z]\w*$", "callback"),
    (r"tensorflow\.summary\.create_file_writer$", "writer"),
    (r"tensorflow\.(?:compat\.v1\.)?summary\.FileWriter$", "event writer"),
    (r"tensorflow\.train\.SummaryWriter$", "event writer"),
    (r"torch\.utils\.tensorboard\.(?:writer\.)?SummaryWriter$", "event writer"),
    (
        r"tensorflow(?:\.compat\.v1)?\.estimator\.(?:\w*Estimator|\w*Classifier|\w*Regressor)$",
        "estimator",
    ),
    (r"tensorflow(?:\.compat\.v1)?\.estimator\.tpu\.TPUEstimator$", "estimator"),
    (r"tensorflow\.contrib\.tpu\.TPUEstimator$", "estimator"),
    (KERAS + r"\.estimator\.model_to_estimator$", "estimator"),
    (r"tensorflow\.compat\.v1\.keras\.estimator\.model_to_estimator$", "estimator"),
    (r"tensorflow(?:\.compat\.v1)?\.(?:Interactive)?Session$", "session"),
    (
        r"tensorflow\.(?:compat\.v1\.)?train\.(?:MonitoredTraining|Monitored|SingularMonitored)Session$",
        "session",
    ),
    (r"tensorflow\.(?:compat\.v1\.)?train\.Supervisor$", "supervisor"),
    # Lists of arrays: Keras takes them for several inputs.
    (
        r"(?:(?:jax\.)?numpy\.(?:meshgrid|\w*split|nonzero|where|unique)|"
        r"tensorflow\.(?:\w+\.)?(?:meshgrid|\w*split|where|unstack|unique))$",
        "arrays",
    ),
    (KERAS + r"\.datasets\.\w+\.load_data$", "arrays"),
    (r"sklearn\.model_selection\.train_test_split$", "arrays"),
    (r"sklearn\.utils\.shuffle$", "arrays"),
    (r"sklearn\.datasets\.\w+$", "arrays"),
    (r"numpy\.random\.(?:default_rng|RandomState|Generator)$", "random generator"),
    (r"numpy\.(?:load|memmap)$", "array"),
    (r"(?:numpy|jax\.numpy)\.(?:[a-z]\w*\.)*[A-Za-z]\w*$", "array"),
    (r"pandas\.(?:[a-z]\w*\.)*[A-Za-z]\w*$", "table"),
    (
        KERAS + r"\.(?:utils|preprocessing(?:\.\w+)?)\.(?:to_categorical|normalize|pad_sequences)$",
        "array",
    ),
    (r"tensorflow\.(?:random|math|image|linalg|nn)\.\w+$", "array"),
    (
        r"tensorflow\.(?:constant|convert_to_tensor|cast|reshape|one_hot|ones|zeros|range|linspace|"
        r"eye|expand_dims|concat|stack|squeeze|transpose|fill|tile|pad|gather|identity|Variable|"
        r"divide|multiply|add|subtract|square|zeros_like|ones_like|repeat|reverse|clip_by_value|"
        r"sort|argsort)$",
        "array",
    ),
    (
        r"sklearn\.(?:preprocessing\.(?:StandardScaler|MinMaxScaler|MaxAbsScaler|RobustScaler|"
        r"Normalizer|LabelEncoder|LabelBinarizer|QuantileTransformer|PowerTransformer)|"
        r"decomposition\.\w+)$",
        "dense transformer",
    ),
)
_ROLES = Rows(_ROWS)
# `with thing as name`: the name is the thing itself.
ENTERS_ITSELF = frozenset({"tape", "session", "writer"})
# A class method of a class that makes one more of it.
FACTORIES = frozenset({"from_config", "from_preset", "from_pretrained"})
# Methods that give something else than the receiver's role, or (without a row) the same role.
_METHODS: dict[str, tuple[tuple[str, str | None], ...]] = {
    "dataset": (
        (r"(?:as_numpy_iterator|reduce|cardinality|options|get_single_element|save)$", None),
        (r"__\w+__$", None),
        (r"\w+$", "dataset"),
    ),
    "array": (
        (
            r"(?:tolist|to_list|to_dict|items|groupby|iterrows|itertuples|keys|item|any|all|tobytes)$",
            None,
        ),
        (
            r"(?:reshape|astype|clip|ravel|copy|transpose|flatten|squeeze|repeat|round|dot|mean|sum|"
            r"std|var|min|max|numpy|toarray|todense|to_numpy|swapaxes|take|cumsum|prod|conj)$",
            "array",
        ),
    ),
    "table": (
        (r"(?:to_numpy)$", "array"),
        (r"(?:copy|drop|dropna|fillna|sample|head|tail|reset_index|set_index|astype)$", "table"),
    ),
    "random generator": ((r"[a-z]\w*$", "array"),),
    "dense transformer": ((r"(?:fit_transform|transform)$", "array"),),
    "supervisor": ((r"(?:managed_session|prepare_or_wait_for_session)$", "session"),),
}
# Attributes that hold something with a role of its own.
_PARTS = {("supervisor", "saver"): "checkpoint", ("supervisor", "summary_writer"): "event writer"}
_METHOD_ROLES = {role: Rows(rows) for role, rows in _METHODS.items()}


def gives(canonical: str) -> str | None:
    """The role of what a library callable gives, None where the tables have none."""
    return _ROLES.first(canonical)


def method_gives(role: str, method: str) -> str | None:
    """The role of what a method of something of that role gives."""
    rows = _METHOD_ROLES.get(role)
    return None if rows is None else rows.first(method)


def part_gives(role: str, attribute: str) -> str | None:
    """The role of what something of that role holds as an attribute."""
    return _PARTS.get((role, attribute))
