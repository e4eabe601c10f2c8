"""The rows of names that say what all workers have alike and what a library thing is: each of them."""

from __future__ import annotations

import pytest

from distify.codemods.library import agreement as table
from distify.codemods.library import call_results, seeds
from distify.codemods.library.agreement import OWN, READ, SAME, agreement

V1 = "tensorflow.compat.v1."
TENSORS = (
    "cast constant convert_to_tensor equal not_equal less less_equal greater greater_equal "
    "logical_and logical_or logical_not identity size shape rank minimum maximum zeros ones range "
    "reshape abs add subtract multiply divide math.log Variable executing_eagerly train.Checkpoint "
    "clip_by_value square sqrt exp log pow sign negative matmul transpose concat stack squeeze "
    "expand_dims argmax argmin one_hot gather tile fill zeros_like where stop_gradient div truediv "
    "floordiv mod linalg.norm"
)
BUILTINS = (
    "abs all any ascii bin bool bytes callable chr complex dict divmod enumerate filter float "
    "format frozenset getattr hasattr hex int isinstance issubclass len list map max min object oct "
    "ord pow print range repr reversed round set slice sorted str sum tuple type zip"
)
ANSWERS = {
    OWN: (
        "horovod.tensorflow.rank horovod.tensorflow.keras.local_rank horovod.cross_rank time.time "
        "time.perf_counter datetime.datetime.now datetime.date.today datetime.datetime.utcnow "
        "random.random numpy.random.rand tensorflow.random.normal secrets.token_hex "
        "tensorflow.timestamp os.getpid os.getppid os.urandom os.times os.getloadavg "
        "socket.gethostname uuid.uuid4 tempfile.mkdtemp platform.node builtins.id builtins.input "
        "builtins.next builtins.iter builtins.hash numpy.load numpy.fromfile numpy.memmap "
        "numpy.genfromtxt numpy.loadtxt"
    ),
    READ: (
        "builtins.open io.open codecs.open tensorflow.io.gfile.GFile tensorflow.gfile.GFile "
        "tensorflow.gfile.Open"
    ),
    SAME: (
        "tensorflow.random.stateless_uniform horovod.tensorflow.size horovod.local_size "
        "horovod.cross_size horovod.tensorflow.is_initialized argparse.Namespace absl.flags.FLAGS "
        "math.log cmath.log operator.add statistics.mean string.capwords textwrap.dedent "
        "calendar.month copy.copy functools.reduce itertools.chain collections.Counter typing.cast "
        "dataclasses.asdict enum.auto json.loads re.sub os.path.join os.path.basename "
        "os.path.dirname os.path.splitext os.path.abspath os.path.normpath os.getenv os.environ "
        "os.environ.get pathlib.Path pathlib.PurePath absl.app.run click.option tqdm.tqdm fire.Fire "
        "typer.run yaml.safe_load ruamel.yaml.load toml.load tomli.load tomllib.load json5.load "
        "easydict.EasyDict munch.Munch addict.Dict attrdict.AttrDict box.Box types.SimpleNamespace "
        f"numpy.mean numpy.zeros tensorflow.app.run {V1}app.run tensorflow.app.flags "
        f"{V1}app.flags.FLAGS tensorflow.flags.FLAGS {V1}flags.DEFINE_string "
        + " ".join(f"tensorflow.{name} {V1}{name}" for name in TENSORS.split())
        + " "
        + " ".join(f"builtins.{name}" for name in BUILTINS.split())
    ),
    None: (
        "time.sleep time.strptime random.seed tensorflow.random.set_seed os.listdir os.path.exists "
        "datetime.timedelta builtins.eval tensorflow.reduce_sum tensorflow.constants "
        "tensorflow.io.read_file platform.system mine.rank pandas.read_csv mymath.log "
        "pathlib.PathLike tensorflow.train.Checkpoints tensorflow.flagged"
    ),
}


@pytest.mark.parametrize("answer", ANSWERS)
def test_what_all_workers_have_alike(answer: str | None) -> None:
    assert {n: agreement(n) for n in ANSWERS[answer].split() if agreement(n) != answer} == {}


KERAS = "tensorflow.keras."
ROLES = {
    "schedule": (
        f"{KERAS}optimizers.schedules.CosineDecay {KERAS}optimizers.legacy.LearningRateSchedule "
        f"{KERAS}optimizers.schedules.LearningRateSchedule {KERAS}experimental.CosineDecay "
        f"{KERAS}experimental.LinearCosineDecay"
    ),
    "loss scale": (
        f"{KERAS}optimizers.LossScaleOptimizer {KERAS}mixed_precision.LossScaleOptimizer "
        f"{KERAS}mixed_precision.LossScaleOptimizerV1"
    ),
    "optimizer": (
        f"{KERAS}optimizers.Adam {KERAS}optimizers.legacy.SGD {KERAS}optimizers.experimental.SGD "
        f"{KERAS}optimizers.get {KERAS}optimizers.deserialize tensorflow_addons.optimizers.LAMB "
        f"tensorflow.train.AdamOptimizer {V1}train.AdamOptimizer "
        "horovod.tensorflow.keras.DistributedOptimizer horovod.keras.DistributedOptimizer "
        "horovod.tensorflow.DistributedOptimizer horovod.tensorflow.PartialDistributedOptimizer"
    ),
    "dataset": (
        "tensorflow.data.Dataset.from_tensor_slices tensorflow.data.Dataset.range "
        "tensorflow.data.Dataset.zip tensorflow.data.Dataset.list_files "
        "tensorflow.data.Dataset.load tensorflow.data.Dataset.random tensorflow.data.Dataset.counter "
        "tensorflow.data.Dataset.sample_from_datasets tensorflow.data.TFRecordDataset "
        "tensorflow.data.experimental.CsvDataset tensorflow.data.experimental.make_csv_dataset "
        f"{KERAS}utils.image_dataset_from_directory {KERAS}preprocessing.dataset_from_x "
        f"{KERAS}utils.text_dataset_from_directory {KERAS}utils.audio_dataset_from_directory "
        f"{KERAS}preprocessing.timeseries_dataset_from_array "
        f"{KERAS}preprocessing.image.other_dataset_from_directory"
    ),
    "model": (
        f"{KERAS}Sequential {KERAS}Model {KERAS}models.load_model {KERAS}models.clone_model "
        f"{KERAS}models.model_from_json {KERAS}saving.load_model {KERAS}applications.VGG16 "
        f"{KERAS}applications.vgg16.VGG16 transformers.TFBertModel keras_hub.models.Bert "
        "keras_cv.models.ResNet keras_nlp.models.BertClassifier segmentation_models.Unet "
        "segmentation_models.Linknet segmentation_models.FPN segmentation_models.PSPNet "
        "efficientnet.tfkeras.EfficientNetB0 efficientnet.keras.EfficientNetB0 "
        "horovod.tensorflow.keras.load_model horovod.keras.load_model"
    ),
    "checkpoint": f"tensorflow.train.Checkpoint tensorflow.train.Saver {V1}train.Saver",
    "manager": "tensorflow.train.CheckpointManager",
    "tape": (
        "tensorflow.GradientTape horovod.tensorflow.DistributedGradientTape "
        "horovod.tensorflow.PartialDistributedGradientTape"
    ),
    "callback": f"{KERAS}callbacks.EarlyStopping {KERAS}callbacks.experimental.BackupAndRestore",
    "writer": "tensorflow.summary.create_file_writer",
    "event writer": (
        f"tensorflow.summary.FileWriter {V1}summary.FileWriter tensorflow.train.SummaryWriter"
    ),
    "estimator": (
        "tensorflow.estimator.Estimator tensorflow.estimator.DNNClassifier "
        f"{V1}estimator.LinearRegressor tensorflow.estimator.tpu.TPUEstimator "
        f"{V1}estimator.tpu.TPUEstimator tensorflow.contrib.tpu.TPUEstimator "
        f"{KERAS}estimator.model_to_estimator {V1}keras.estimator.model_to_estimator"
    ),
    "session": (
        f"tensorflow.Session {V1}Session tensorflow.InteractiveSession {V1}InteractiveSession "
        f"{V1}train.MonitoredTrainingSession tensorflow.train.MonitoredSession "
        "tensorflow.train.SingularMonitoredSession"
    ),
    "supervisor": f"tensorflow.train.Supervisor {V1}train.Supervisor",
    "arrays": (
        "numpy.meshgrid numpy.split numpy.array_split numpy.nonzero numpy.where numpy.unique "
        "jax.numpy.where tensorflow.meshgrid tensorflow.split tensorflow.where tensorflow.unstack "
        f"tensorflow.unique {KERAS}datasets.mnist.load_data sklearn.utils.shuffle "
        "sklearn.model_selection.train_test_split sklearn.datasets.load_iris"
    ),
    "random generator": (
        "numpy.random.default_rng numpy.random.RandomState numpy.random.Generator"
    ),
    "array": (
        "numpy.load numpy.memmap numpy.zeros numpy.linalg.inv jax.numpy.zeros "
        f"{KERAS}utils.to_categorical {KERAS}preprocessing.sequence.pad_sequences "
        f"{KERAS}utils.normalize tensorflow.random.normal tensorflow.math.log tensorflow.image.resize "
        "tensorflow.linalg.inv tensorflow.nn.relu tensorflow.constant tensorflow.convert_to_tensor "
        "tensorflow.cast tensorflow.reshape tensorflow.one_hot tensorflow.ones tensorflow.zeros "
        "tensorflow.range tensorflow.linspace tensorflow.eye tensorflow.expand_dims "
        "tensorflow.concat tensorflow.stack tensorflow.squeeze tensorflow.transpose tensorflow.fill "
        "tensorflow.tile tensorflow.pad tensorflow.gather tensorflow.identity tensorflow.Variable "
        "tensorflow.divide tensorflow.multiply tensorflow.add tensorflow.subtract tensorflow.square "
        "tensorflow.zeros_like tensorflow.ones_like tensorflow.repeat tensorflow.reverse "
        "tensorflow.clip_by_value tensorflow.sort tensorflow.argsort"
    ),
    "table": "pandas.read_csv pandas.DataFrame pandas.io.parsers.read_table",
    "dense transformer": (
        "sklearn.preprocessing.StandardScaler sklearn.preprocessing.MinMaxScaler "
        "sklearn.preprocessing.MaxAbsScaler sklearn.preprocessing.RobustScaler "
        "sklearn.preprocessing.Normalizer sklearn.preprocessing.LabelEncoder "
        "sklearn.preprocessing.LabelBinarizer sklearn.preprocessing.QuantileTransformer "
        "sklearn.preprocessing.PowerTransformer sklearn.decomposition.PCA"
    ),
    None: (
        f"tensorflow.data.make_one_shot_iterator tensorflow.data.Dataset.map {KERAS}layers.Dense "
        f"{KERAS}optimizers.serialize {KERAS}applications.vgg16.preprocess_input {KERAS}Input "
        "transformers.TFTrainer transformers.TFSharedEmbeddings transformers.TFSequenceSummary "
        "keras_nlp.models.BertTokenizer keras_nlp.models.BertPreprocessor "
        "keras_hub.models.BertConverter sklearn.preprocessing.OneHotEncoder mine.numpy.zeros "
        "tensorflow.constants tensorflow.Sessions horovod.tensorflow.allreduce builtins.list "
        f"tensorflow.estimator.RunConfig {KERAS}callbacks.core tensorflow.summary.scalar"
    ),
}


@pytest.mark.parametrize("role", ROLES)
def test_what_a_library_thing_is(role: str | None) -> None:
    found = {name: call_results.gives(name) for name in ROLES[role].split()}
    assert {name: each for name, each in found.items() if each != role} == {}


METHODS = {
    ("dataset", "dataset"): "map batch shuffle take",
    ("dataset", None): (
        "as_numpy_iterator reduce cardinality options get_single_element save __iter__ __len__"
    ),
    ("array", "array"): (
        "reshape astype clip ravel copy transpose flatten squeeze repeat round dot mean sum std var "
        "min max numpy toarray todense to_numpy swapaxes take cumsum prod conj"
    ),
    ("array", None): "tolist to_list to_dict items groupby iterrows itertuples keys item any all tobytes sort",
    ("table", "array"): "to_numpy",
    ("table", "table"): "copy drop dropna fillna sample head tail reset_index set_index astype",
    ("table", None): "groupby merge to_csv",
    ("random generator", "array"): "normal integers",
    ("random generator", None): "Generator _draw",
    ("dense transformer", "array"): "fit_transform transform",
    ("dense transformer", None): "fit inverse",
    ("supervisor", "session"): "managed_session prepare_or_wait_for_session",
    ("supervisor", None): "stop",
    ("model", None): "fit predict",
}  # fmt: skip


@pytest.mark.parametrize("question", METHODS)
def test_what_a_method_of_such_a_thing_gives(question: tuple[str, str | None]) -> None:
    role, given = question
    found = {name: call_results.method_gives(role, name) for name in METHODS[question].split()}
    assert {name: each for name, each in found.items() if each != given} == {}


def test_what_such_a_thing_holds_and_how_it_is_entered() -> None:
    parts = {"saver": "checkpoint", "summary_writer": "event writer", "graph": None}
    assert {name: call_results.part_gives("supervisor", name) for name in parts} == parts
    assert call_results.part_gives("model", "saver") is None
    assert {"tape", "session", "writer"} == call_results.ENTERS_ITSELF
    assert {"from_config", "from_preset", "from_pretrained"} == call_results.FACTORIES


GIVEN = {
    table.CLOCK: "random.SystemRandom builtins.id psutil.virtual_memory secrets.token_hex "
    "tensorflow.random.Generator.from_non_deterministic_state uuid.uuid4 os.urandom",
    table.HOST: "psutil.cpu_count platform.node socket.gethostname socket.getfqdn os.uname uuid.getnode",
    table.PERSON: "builtins.input getpass.getpass click.prompt",
    table.HASH: "builtins.hash",
    table.LISTING: "os.listdir os.scandir glob.glob glob.iglob tensorflow.io.gfile.glob",
    table.GENERATOR: "numpy.random.default_rng numpy.random.RandomState random.Random "
    "tensorflow.keras.random.SeedGenerator",
    table.SOURCE: "scipy.stats.norm.rvs torch.rand torch.randint tensorflow.keras.random.normal "
    "tensorflow.random_normal tensorflow.truncated_normal",
    table.SEEDING: "random.seed numpy.random.seed tensorflow.random.set_seed",
    table.EQUAL: "uuid.uuid5 tensorflow.random.stateless_normal click.option",
    None: "torch.manual_seed scipy.stats.norm.pdf socketserver.run os.getcwd",
}


@pytest.mark.parametrize("word", GIVEN)
def test_whose_own_is_what_a_call_gives(word: str | None) -> None:
    assert {name: table.gives(name) for name in GIVEN[word].split()} == dict.fromkeys(
        GIVEN[word].split(), word
    )


def test_what_draws_from_which_numbers() -> None:
    streams = {
        "numpy.random": "numpy.random.rand scipy.stats.norm.rvs",
        "random": "random.random",
        "tensorflow.random": "tensorflow.random.normal tensorflow.keras.random.normal",
        "torch": "torch.rand",
    }
    for stream, names in streams.items():
        assert [seeds.stream(name) for name in names.split()] == [stream] * len(names.split())
    assert seeds.SEEDS["torch.manual_seed"] == ("torch",)
