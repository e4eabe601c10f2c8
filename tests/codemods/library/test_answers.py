"""What the library answers of the calls that people write; the names as their documentation has them.

Each answer decides on an edit or a refusal, so that one name less is a program that goes wrong.
"""

from __future__ import annotations

from typing import Callable

import pytest

from distify.codemods.library import (
    agreement,
    at_import,
    collectives,
    datasets,
    downloads,
    draws,
    effects,
    estimators,
    experiments,
    metrics,
    purity,
    sessions,
)

QUESTIONS: dict[Callable[[str], object], tuple[str, str]] = {
    effects.leaves_alone: (
        "tensorflow.print numpy.mean jax.jit pandas.concat scipy.stats.norm sklearn.metrics.f1_score "
        "horovod.tensorflow.size tensorflow_addons.rnn.Cell tensorflow_datasets.load builtins.len "
        "math.log cmath.log os.listdir sys.getsizeof time.time json.dumps re.sub logging.info "
        "argparse.Namespace pathlib.Path functools.reduce itertools.chain operator.add "
        "collections.Counter datetime.datetime random.choice statistics.mean string.capwords "
        "textwrap.dedent platform.node calendar.month pprint.pprint csv.writer pickle.dump "
        "absl.logging.info tqdm.tqdm matplotlib.pyplot.plot seaborn.heatmap PIL.Image.open wandb.log "
        "mlflow.log_metric warnings.warn typing.cast dataclasses.asdict abc.ABC enum.auto copy.copy "
        "tempfile.mkdtemp shutil.copy",
        "random.shuffle numpy.random.shuffle builtins.exec builtins.eval helpers.fill gym.make",
    ),
    effects.gives_back: (
        "tensorflow.function tensorflow.autograph.experimental.do_not_convert atexit.register "
        "tensorflow.keras.utils.register_keras_serializable tensorflow.custom_gradient "
        "tensorflow.keras.saving.register_keras_serializable tensorflow.recompute_grad",
        "tensorflow.identity builtins.list functools.partial",
    ),
    effects.swallows: (
        "contextlib.suppress pytest.raises helpers.guard",
        "builtins.open strategy.scope tensorflow.device graph.as_default tensorflow.GradientTape "
        "tensorflow.name_scope tensorflow.variable_scope tensorflow.Session contextlib.closing "
        "contextlib.nullcontext contextlib.redirect_stdout contextlib.redirect_stderr threading.Lock "
        "threading.RLock multiprocessing.Pool concurrent.futures.ThreadPoolExecutor "
        "concurrent.futures.ProcessPoolExecutor tempfile.TemporaryDirectory "
        "tempfile.NamedTemporaryFile tensorflow.summary.record_if tensorflow.control_dependencies "
        "tensorflow.keras.utils.custom_object_scope tensorflow.InteractiveSession "
        "tensorflow.train.MonitoredTrainingSession mlflow.start_run tensorflow.profiler.Profile "
        "tensorflow.profiler.experimental.Trace warnings.catch_warnings h5py.File zipfile.ZipFile "
        "tensorflow.io.gfile.GFile tensorflow.Graph tensorflow.init_scope",
    ),
    effects.never_returns: (
        "sys.exit builtins.exit builtins.quit os._exit os.abort",
        "os.kill sys.stdout",
    ),
    effects.iterates: (
        "tqdm.tqdm tqdm.auto.tqdm tqdm.notebook.tqdm_notebook rich.progress.track",
        "tqdm.trange rich.progress.Progress builtins.enumerate",
    ),
    effects.maps: ("tensorflow.nest.map_structure", "tensorflow.map_fn builtins.map"),
    effects.is_cell: ("tensorflow.Variable", "tensorflow.constant"),
    effects.puts_in: (".assign .assign_add .assign_sub", ".add assign .value"),
    effects.keeps: (
        ".assign .assign_add .assign_sub .add .append .compile .extend .insert .setdefault .update",
        "append .pop .fit",
    ),
    effects.keeps_keywords: ("tensorflow.train.Checkpoint", "tensorflow.train.CheckpointManager"),
    effects.starts: (
        "click.command click.group click.option click.argument click.pass_context absl.app.run "
        "tensorflow.app.run tensorflow.compat.v1.app.run fire.Fire typer.run",
        "click.echo absl.flags.DEFINE_string typer.echo",
    ),
    effects.starts_main: (
        "absl.app.run tensorflow.app.run tensorflow.compat.v1.app.run",
        "fire.Fire click.command",
    ),
    at_import.does_nothing_at_import: (
        "abc argparse ast collections.abc dataclasses json logging.handlers numpy.linalg os.path "
        "pandas pathlib re scipy.stats sklearn.metrics sys tempfile tensorflow.keras time typing yaml",
        "horovod.tensorflow keras tf_keras mpi4py wandb multiprocessing tensorflow_datasets",
    ),
    at_import.changes_nothing: (
        "logging.getLogger re.compile collections.namedtuple collections.OrderedDict "
        "collections.defaultdict typing.TypeVar typing.NamedTuple typing.NewType pathlib.Path "
        "os.getcwd os.getenv os.environ.get os.path.abspath os.path.basename os.path.dirname "
        "os.path.exists os.path.expanduser os.path.isdir os.path.isfile os.path.join "
        "os.path.realpath os.path.split os.path.splitext math.log math.sqrt math.ceil math.floor "
        "math.exp datetime.timedelta decimal.Decimal functools.partial",
        "logging.basicConfig os.makedirs os.environ.setdefault random.seed",
    ),
    downloads.download: (
        "tensorflow.keras.datasets.mnist.load_data tensorflow.keras.utils.get_file "
        "tensorflow.keras.applications.VGG16 tensorflow.keras.applications.vgg16.VGG16 "
        "tensorflow.examples.tutorials.mnist.input_data.read_data_sets input_data.read_data_sets "
        "tensorflow.contrib.learn.datasets.load_dataset tensorflow_datasets.load "
        "tensorflow_datasets.data_source sklearn.datasets.fetch_openml seaborn.load_dataset "
        "nltk.download kagglehub.dataset_download gdown.cached_download gdown.download "
        "gdown.download_folder wget.download urllib.request.urlretrieve "
        "six.moves.urllib.request.urlretrieve urllib.urlretrieve shutil.unpack_archive os.system "
        "subprocess.run subprocess.call subprocess.check_call subprocess.Popen os.popen "
        "subprocess.check_output subprocess.getoutput subprocess.getstatusoutput",
        "tensorflow.keras.applications.vgg16.preprocess_input sklearn.datasets.load_iris "
        "sklearn.datasets.make_blobs tensorflow_datasets.builder requests.get subprocess.list2cmdline",
    ),
    downloads.is_download_command: (
        "wget|-q|url curl|-O|url gdown|--id aria2c|x kaggle|datasets|download gsutil|cp aws|s3|cp",
        "ls|-l unzip|a.zip mywgets aws|ec2",
    ),
    downloads.is_for_machine: (
        "wget|-q|url unzip|a.zip pip|install|x apt-get|install|y sudo|apt|update conda|install|z",
        "ls|-l mv|a|b pipe mkdir|a",
    ),
    downloads.is_unpacking_command: (
        "unzip|a.zip unrar|x|a gunzip|a.gz 7z|x|a tar|xf|a.tar tar|-xzf|a.tgz",
        "tar|-czf|a.tgz zip|a.zip ls|-x",
    ),
    experiments.logs: (
        "mlflow.log_metric mlflow.log_params mlflow.set_tag mlflow.autolog mlflow.keras.autolog "
        "mlflow.tensorflow.log_model mlflow.register_model",
        "mlflow.start_run mlflow.get_run mlflow.set_experiment wandb.log",
    ),
    experiments.makes_run: (
        "mlflow.start_run clearml.Task.init aim.Run aim.sdk.Run",
        "mlflow.end_run wandb.init clearml.Task.current_task",
    ),
    experiments.is_plain_run: (
        "mlflow.start_run mlflow.end_run mlflow.set_experiment clearml.Task.init aim.Run",
        "mlflow.log_metric mlflow.active_run",
    ),
    experiments.reads_run: (
        "mlflow.active_run mlflow.last_active_run mlflow.get_run mlflow.search_runs "
        "clearml.Task.current_task clearml.Task.get_task clearml.Logger.current_logger",
        "mlflow.start_run clearml.Task.init",
    ),
    metrics.is_mean: (
        "accuracy acc BinaryAccuracy tensorflow.keras.metrics.CategoricalAccuracy "
        "sparse_categorical_accuracy TopKCategoricalAccuracy SparseTopKCategoricalAccuracy ce "
        "crossentropy BinaryCrossentropy bce CategoricalCrossentropy mse mae mape msle "
        "SparseCategoricalCrossentropy MeanSquaredError MeanAbsoluteError "
        "MeanAbsolutePercentageError MeanSquaredLogarithmicError CosineSimilarity cosine_proximity "
        "hinge SquaredHinge CategoricalHinge KLDivergence kullback_leibler_divergence kld poisson "
        "LogCosh LogCoshError huber HuberLoss Mean MeanTensor MeanMetricWrapper MeanRelativeError",
        "AUC Precision Recall F1Score RootMeanSquaredError TruePositives Sum MeanIoU",
    ),
    purity.only_computes: (
        "builtins.len builtins.sorted time.time os.getcwd json.dumps pickle.dumps glob.glob "
        "copy.deepcopy collections.Counter pathlib.Path pandas.DataFrame tensorflow.cast "
        "tensorflow.reduce_mean tensorflow.nn.softmax tensorflow.train.latest_checkpoint "
        "tensorflow.keras.losses.mean_squared_error tensorflow.keras.metrics.mean_absolute_error "
        "math.log cmath.log statistics.mean operator.add string.capwords textwrap.dedent "
        "os.path.join os.environ.get platform.node datetime.datetime.now calendar.month "
        "tensorflow.math.log tensorflow.strings.join tensorflow.linalg.inv "
        "tensorflow.dtypes.as_dtype sklearn.metrics.f1_score numpy.mean logging.getLogger "
        "absl.logging.info horovod.tensorflow.rank horovod.keras.local_rank "
        "horovod.tensorflow.keras.size mpi4py.MPI.COMM_WORLD.Get_size",
        "horovod.tensorflow.init horovod.tensorflow.allreduce horovod.tensorflow.broadcast_object "
        "builtins.print builtins.next builtins.setattr numpy.random.rand numpy.save numpy.savez "
        "numpy.load numpy.loadtxt numpy.put numpy.copyto numpy.place numpy.fromfile "
        "numpy.set_printoptions numpy.fill_diagonal numpy.memmap numpy.nditer logging.basicConfig "
        "logging.addLevelName logging.setLoggerClass logging.shutdown logging.disable "
        "logging.config.dictConfig logging.handlers.RotatingFileHandler logging.FileHandler "
        "absl.logging.set_verbosity os.environ.pop os.environ.update os.environ.setdefault "
        "os.environ.clear os.environ.popitem tensorflow.keras.losses.MeanSquaredError os.remove",
    ),
    agreement.is_rank: (
        "horovod.tensorflow.rank horovod.tensorflow.keras.local_rank horovod.cross_rank "
        "mpi4py.MPI.COMM_WORLD.Get_rank mpi4py.MPI.COMM_WORLD.rank",
        "horovod.tensorflow.size horovod.tensorflow.rank_of tensorflow.rank",
    ),
    agreement.is_told: (
        "horovod.tensorflow.allreduce horovod.tensorflow.grouped_allreduce "
        "horovod.tensorflow.allgather horovod.tensorflow.broadcast horovod.torch.allreduce_ "
        "horovod.tensorflow.broadcast_object horovod.torch.broadcast_async horovod.torch.synchronize "
        "horovod.torch.broadcast_async_ horovod.tensorflow.allgather_object horovod.tensorflow.size "
        "horovod.tensorflow.local_size horovod.tensorflow.cross_size horovod.tensorflow.join "
        "horovod.tensorflow.is_initialized",
        "horovod.tensorflow.rank horovod.tensorflow.broadcast_variables tensorflow.size",
    ),
    agreement.is_own: (
        "time.time time.perf_counter datetime.datetime.now datetime.date.today "
        "datetime.datetime.utcnow uuid.uuid1 uuid.uuid4 random.random numpy.random.rand "
        "tensorflow.random.normal secrets.token_hex os.getpid os.urandom os.uname platform.node "
        "socket.gethostname",
        "time.sleep time.strptime random.seed numpy.random.seed tensorflow.random.set_seed "
        "uuid.uuid3 uuid.uuid5 os.getcwd platform.system datetime.timedelta",
    ),
    agreement.is_reckoned: (
        "builtins.int builtins.bool builtins.float builtins.str builtins.abs builtins.min "
        "builtins.max builtins.any builtins.all builtins.divmod builtins.sum builtins.round "
        "operator.eq tensorflow.cast tensorflow.constant tensorflow.convert_to_tensor "
        "tensorflow.equal tensorflow.not_equal tensorflow.less tensorflow.less_equal "
        "tensorflow.greater tensorflow.greater_equal tensorflow.logical_not tensorflow.identity",
        "builtins.len builtins.print tensorflow.zeros tensorflow.size",
    ),
    collectives.collective: (
        "horovod.tensorflow.allreduce horovod.tensorflow.grouped_allreduce "
        "horovod.tensorflow.allgather horovod.tensorflow.alltoall horovod.tensorflow.reducescatter "
        "horovod.tensorflow.barrier horovod.tensorflow.broadcast horovod.torch.broadcast_ "
        "horovod.torch.allreduce_async horovod.torch.allreduce_async_ "
        "horovod.tensorflow.broadcast_object horovod.tensorflow.broadcast_variables "
        "horovod.tensorflow.broadcast_global_variables horovod.torch.broadcast_parameters "
        "horovod.torch.broadcast_optimizer_state",
        "horovod.tensorflow.join horovod.tensorflow.size tensorflow.broadcast_to",
    ),
    collectives.is_join: ("horovod.tensorflow.join", "horovod.tensorflow.barrier os.path.join"),
    sessions.is_hook: (
        "tensorflow.train.StopAtStepHook tensorflow.compat.v1.train.LoggingTensorHook "
        "tensorflow.estimator.CheckpointSaverHook",
        "tensorflow.train.Saver tensorflow.train.SessionRunHookBase horovod.tensorflow.Hook",
    ),
    estimators.is_ready_made: (
        "tensorflow.estimator.DNNClassifier tensorflow.compat.v1.estimator.LinearRegressor",
        "tensorflow.estimator.Estimator tensorflow.estimator.RunConfig",
    ),
}


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: f"{q.__module__}.{q.__name__}")
def test_a_question_has_the_right_answer_for_every_name(
    question: Callable[[str], object],
) -> None:
    right, wrong = (text.split() for text in QUESTIONS[question])
    assert [name for name in right if not question(name.replace("|", " "))] == []
    assert [name for name in wrong if question(name.replace("|", " "))] == []


def test_what_is_downloaded_anew_by_each_call_is_told_from_what_is_kept() -> None:
    kinds = {
        "tensorflow.keras.datasets.mnist.load_data": downloads.KEPT,
        "tensorflow.keras.applications.VGG16": downloads.WEIGHTS,
        "gdown.cached_download": downloads.KEPT,
        "gdown.download": downloads.ANEW,
        "wget.download": downloads.ANEW,
        "urllib.request.urlretrieve": downloads.ANEW,
        "shutil.unpack_archive": downloads.ANEW,
        "os.system": downloads.COMMAND,
        "subprocess.run": downloads.COMMAND,
    }
    assert {name: downloads.download(name) for name in kinds} == kinds
    models = (
        "VGG16 MobileNet MobileNetV2 MobileNetV3Small MobileNetV3Large NASNetLarge NASNetMobile"
    )
    places = [downloads.weights_at(f"tensorflow.keras.applications.{m}") for m in models.split()]
    assert places == [1, 5, 3, 4, 4, 2, 2]
    assert downloads.TARGETS == {"urlretrieve": ("filename", 1)}
    assert downloads.EXTRACTS == ("tensorflow.keras.utils.get_file", "extract", 7)


SPLIT = "sklearn.model_selection."


@pytest.mark.parametrize(
    ("names", "numbers", "seed", "is_split", "switch", "by_default"),
    [
        (SPLIT + "train_test_split", "numpy.random", "random_state", True, "shuffle", True),
        (SPLIT + "RepeatedKFold", "numpy.random", "random_state", True, "", True),
        (SPLIT + "RepeatedStratifiedKFold", "numpy.random", "random_state", True, "", True),
        (SPLIT + "KFold", "numpy.random", "random_state", True, "shuffle", False),
        (SPLIT + "StratifiedKFold", "numpy.random", "random_state", True, "shuffle", False),
        (SPLIT + "GroupKFold", "numpy.random", "random_state", True, "shuffle", False),
        (SPLIT + "ShuffleSplit", "numpy.random", "random_state", True, "", True),
        (SPLIT + "GroupShuffleSplit", "numpy.random", "random_state", True, "", True),
        ("sklearn.utils.shuffle sklearn.utils.resample", "numpy.random", "random_state", True, "", True),
        ("imblearn.over_sampling.RandomOverSampler", "numpy.random", "random_state", True, "", True),
        ("imblearn.under_sampling.RandomUnderSampler", "numpy.random", "random_state", True, "", True),
        ("numpy.random.shuffle numpy.random.permutation", "numpy.random", "", False, "", True),
        ("numpy.random.choice numpy.random.randint", "numpy.random", "", False, "", True),
        ("random.shuffle random.sample", "random", "", False, "", True),
        ("random.choice random.choices random.randint", "random", "", False, "", True),
        ("tensorflow.random.shuffle", "tensorflow.random", "seed", False, "", True),
        ("tensorflow.random.experimental.index_shuffle", "tensorflow.random", "seed", False, "", True),
        ("os.listdir os.scandir os.walk glob.glob glob.iglob", "", "", False, "", True),
        ("tensorflow.io.gfile.glob tensorflow.io.gfile.walk", "", "", False, "", True),
    ],
)  # fmt: skip
def test_what_draws_an_order_says_whose_numbers_it_takes(
    names: str, numbers: str, seed: str, is_split: bool, switch: str, by_default: bool
) -> None:
    for name in names.split():
        found = draws.draw(name)
        assert found is not None, name
        assert (found.numbers, found.is_split, found.is_listing) == (numbers, is_split, not numbers)
        assert (found.switch[0], found.by_default) == (switch, by_default)
        assert [each for each, _ in found.seeds][:1] == ([seed] if seed else [])
        assert found.is_of_groups is ("Group" in name)


def test_draws_that_only_pick_by_number_and_those_that_only_count_for_data() -> None:
    picks = "numpy.random.choice numpy.random.randint random.choice random.randint random.randrange"
    assert all(draws.draw(name).only_as_index for name in picks.split())  # type: ignore[union-attr]
    orders = "numpy.random.permutation random.shuffle os.listdir tensorflow.random.shuffle"
    assert not any(draws.draw(n).only_as_index for n in orders.split())  # type: ignore[union-attr]
    assert draws.draw("os.listdir").only_for_data  # type: ignore[union-attr]
    assert draws.draw("tensorflow.random.shuffle").only_for_data  # type: ignore[union-attr]
    assert not draws.draw("random.shuffle").only_for_data  # type: ignore[union-attr]
    assert draws.draw("numpy.random.rand") is draws.draw("os.remove") is None
    makers = {"numpy.random.shuffle": "RandomState(0)", "random.sample": "Random(0)"}
    assert {n: draws.draw(n).maker for n in makers} == makers  # type: ignore[union-attr]


def test_methods_that_draw() -> None:
    nothing: frozenset[str] = frozenset()
    assert draws.draw_of_method("sample", frozenset({"frac"})) == draws.SAMPLE
    assert draws.SAMPLE.seeds == (("random_state", 4),)
    assert draws.draw_of_method("sample", nothing) is draws.draw_of_method("sort", nothing) is None
    for method in ("glob", "rglob", "iterdir"):
        assert draws.draw_of_method(method, nothing) == draws.LISTING
        assert draws.is_sortable(None, method)
    assert not draws.is_sortable(None, "walk")
    names = ("os.listdir", "glob.glob", "tensorflow.io.gfile.glob", "tensorflow.io.gfile.listdir")
    assert all(draws.is_sortable(name, "") for name in names)
    assert not any(draws.is_sortable(name, "glob") for name in ("os.scandir", "os.walk"))


@pytest.mark.parametrize("kind", draws.GENERATORS)
def test_methods_of_a_generator_order_or_pick(kind: str) -> None:
    for method in ("shuffle", "permutation", "permuted", "sample"):
        assert draws.draw_of_generator(kind, method).only_as_index is False  # type: ignore[union-attr]
    for method in ("choice", "choices", "integers", "randint", "randrange"):
        assert draws.draw_of_generator(kind, method).only_as_index is True  # type: ignore[union-attr]
    assert draws.draw_of_generator(kind, "normal") is None


def test_arguments_stand_where_the_signatures_have_them() -> None:
    sizes = {
        "numpy.random.choice": ("size", 1),
        "numpy.random.randint": ("size", 2),
        "numpy.random.random_integers": ("size", 2),
        "numpy.random.uniform": ("size", 2),
        "numpy.random.normal": ("size", 2),
        "random.sample": ("k", 1),
        "random.choices": ("k", None),
        "random.shuffle": None,
    }
    assert {name: draws.size_argument(name) for name in sizes} == sizes
    monitored = "tensorflow.compat.v1.train.MonitoredTrainingSession"
    places = {
        ("tensorflow.Session", "target"): 0,
        ("tensorflow.compat.v1.Session", "graph"): 1,
        ("tensorflow.InteractiveSession", "config"): 2,
        (monitored, "master"): 0,
        (monitored, "is_chief"): 1,
        (monitored, "checkpoint_dir"): 2,
        (monitored, "scaffold"): 3,
        (monitored, "hooks"): 4,
        (monitored, "chief_only_hooks"): 5,
        (monitored, "config"): 9,
        (monitored, "summary_dir"): 14,
        ("tensorflow.train.MonitoredSession", "session_creator"): 0,
        ("tensorflow.train.MonitoredSession", "hooks"): 1,
        ("tensorflow.train.SingularMonitoredSession", "config"): 3,
        ("tensorflow.train.SingularMonitoredSession", "checkpoint_dir"): 4,
        ("tensorflow.train.ChiefSessionCreator", "config"): 2,
        ("tensorflow.train.ChiefSessionCreator", "checkpoint_dir"): 3,
        ("tensorflow.estimator.RunConfig", "model_dir"): 0,
        ("tensorflow.estimator.RunConfig", "session_config"): 5,
        ("tensorflow.train.Supervisor", "graph"): 0,
        ("tensorflow.train.Supervisor", "is_chief"): 3,
        ("tensorflow.train.Supervisor", "logdir"): 7,
        ("tensorflow.train.Supervisor", "summary_op"): 8,
        ("tensorflow.train.Supervisor", "session_manager"): 16,
        ("train.Supervisor.managed_session", "config"): 1,
        ("train.Supervisor.prepare_or_wait_for_session", "config"): 1,
        ("train.Supervisor.prepare_or_wait_for_session", "wait_for_checkpoint"): 2,
        ("tensorflow.Session", "hooks"): None,
    }
    assert {place: sessions.position(*place) for place in places} == places
    assert sessions.takes(monitored, "master")
    assert not sessions.takes("tensorflow.Session", "hooks")
    folders = {
        "Estimator": 1, "DNNClassifier": 2, "DNNRegressor": 2, "LinearClassifier": 1,
        "LinearRegressor": 1, "DNNLinearCombinedClassifier": 0, "DNNLinearCombinedRegressor": 0,
        "DNNEstimator": 3, "LinearEstimator": 2, "DNNLinearCombinedEstimator": 1,
    }  # fmt: skip
    here = "tensorflow.estimator."
    assert {n: estimators.position(here + n, "model_dir") for n in folders} == folders
    assert estimators.position(here + "Estimator", "config") == 2
    assert estimators.position(here + "LinearClassifier", "config") is None


def test_parts_of_ready_made_models_have_optimizers_of_their_own() -> None:
    names = [
        "DNNClassifier",
        "DNNRegressor",
        "DNNEstimator",
        "LinearClassifier",
        "LinearRegressor",
        "LinearEstimator",
        "DNNLinearCombinedClassifier",
        "DNNLinearCombinedEstimator",
        "Estimator",
    ]
    parts = {name: estimators.parts(f"tensorflow.estimator.{name}") for name in names}
    found = {n: [(p.argument, p.position, p.cls, p.rate) for p in ps] for n, ps in parts.items()}
    assert found == {
        "DNNClassifier": [("optimizer", 6, "Adagrad", "0.05")],
        "DNNRegressor": [("optimizer", 5, "Adagrad", "0.05")],
        "DNNEstimator": [("optimizer", 4, "Adagrad", "0.05")],
        "LinearClassifier": [("optimizer", 5, "Ftrl", "0.2")],
        "LinearRegressor": [("optimizer", 4, "Ftrl", "0.2")],
        "LinearEstimator": [("optimizer", 3, "Ftrl", "0.2")],
        "DNNLinearCombinedClassifier": [
            ("linear_optimizer", 2, "Ftrl", "0.005"),
            ("dnn_optimizer", 4, "Adagrad", "0.001"),
        ],
        "DNNLinearCombinedEstimator": [
            ("linear_optimizer", 3, "Ftrl", "0.005"),
            ("dnn_optimizer", 5, "Adagrad", "0.001"),
        ],
        "Estimator": [],
    }


def test_loggers_are_silenced_by_an_argument_of_their_own() -> None:
    words = {
        "wandb.init": ("mode", "None", '"disabled"'),
        "neptune.init_run": ("mode", '"async"', '"debug"'),
        "neptune.new.init": ("mode", '"async"', '"debug"'),
        "comet_ml.Experiment": ("disabled", "False", "True"),
        "comet_ml.ExistingExperiment": ("disabled", "False", "True"),
        "tensorboardX.SummaryWriter": ("write_to_disk", "True", "False"),
        "mlflow.start_run": None,
    }
    assert {name: experiments.silenced(name) for name in words} == words


def test_methods_of_datasets_are_told_by_what_they_do_to_the_elements() -> None:
    assert sorted(datasets.REGROUPING) == [
        "bucket_by_sequence_length", "concatenate", "group_by_window", "scan", "take_while", "window",
    ]  # fmt: skip
    assert sorted(datasets.SIFTING) == [
        "apply", "filter", "flat_map", "ignore_errors", "interleave", "rejection_resample", "unbatch",
    ]  # fmt: skip
    batching = ["batch", "padded_batch", "ragged_batch"]
    assert sorted(datasets.BATCHING) == batching
    assert sorted(datasets.COUNTING) == ["skip", "take"]
    assert sorted(datasets.PLAIN) == ["cache", "enumerate", "map", "prefetch", "with_options"]
    assert {"shuffle", "repeat", "shard", "batch", "map", "take"} < datasets.METHODS
    assert set(datasets.JOINING) == {"zip", "sample_from_datasets", "choose_from_datasets"}
    assert datasets.READY_BATCHED == {
        "image_dataset_from_directory": 32,
        "text_dataset_from_directory": 32,
        "audio_dataset_from_directory": 32,
        "timeseries_dataset_from_array": 128,
    }
    assert set(datasets.SEVERAL_SHAPES) == {"audio_dataset_from_directory"}


def test_what_sorts_gives_one_order_and_hooks_that_write_are_known() -> None:
    assert set(draws.SORTING) == {
        "builtins.sorted",
        "numpy.sort",
        "numpy.unique",
        "tensorflow.sort",
    }
    assert set(sessions.WRITING_HOOKS) == {
        "LoggingTensorHook", "CheckpointSaverHook", "SummarySaverHook", "StepCounterHook",
        "ProfilerHook",
    }  # fmt: skip
    assert (downloads.BUILDS, downloads.UNPACKS) == ("download_and_prepare", "extractall")


def test_what_all_workers_are_given_and_what_each_reads_for_itself() -> None:
    kinds = ("allreduce", "allgather", "allgather_object", "broadcast", "broadcast_object")
    for kind in kinds:
        for module in ("tensorflow", "tensorflow.keras", "keras"):
            assert agreement.is_told(f"horovod.{module}.{kind}")
    assert not agreement.is_told("horovod.tensorflow.rank")
    reads = (
        "builtins.open json.load json.loads pickle.load pickle.loads yaml.load yaml.safe_load "
        "numpy.load numpy.loadtxt numpy.genfromtxt pandas.read_csv pandas.read_json "
        "tensorflow.io.gfile.GFile tensorflow.io.read_file"
    )
    assert sorted(agreement.READS) == sorted(reads.split())
    counters = "builtins.range tqdm.trange tqdm.auto.trange tqdm.notebook.trange tqdm.std.trange"
    assert sorted(agreement.RANGES) == sorted(counters.split())
    assert {"tensorflow.range", "numpy.arange"} == agreement.COUNTERS - agreement.RANGES
    members = {"shape", "get_shape", "dtype", "ndim", "iterations", "learning_rate", "lr"}
    assert members == agreement.SHARED_MEMBERS
