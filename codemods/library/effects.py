"""What calls of libraries do to their arguments, to exceptions and to the program."""

from __future__ import annotations

import re

from .names import normal
from .words import words

# Their functions and methods leave lists, dictionaries and objects as they are.
_LEAVE_ALONE = words(
    """
    tensorflow numpy jax pandas scipy sklearn horovod tensorflow_addons tensorflow_datasets
    builtins math cmath os sys time json re logging argparse pathlib functools itertools
    operator collections bisect datetime random statistics string textwrap platform calendar pprint
    csv pickle
    absl tqdm matplotlib seaborn PIL wandb mlflow warnings typing dataclasses abc enum copy
    tempfile shutil yaml toml rich loguru neptune comet_ml clearml aim tensorboardX joblib h5py cv2
    imageio plotly dill cloudpickle
    """
)
_CHANGE = frozenset(
    {
        *("random.shuffle", "numpy.random.shuffle", "builtins.exec", "builtins.eval"),
        *("bisect.insort", "bisect.insort_left", "bisect.insort_right"),
    }
)
_GIVE_BACK = frozenset(
    {
        "tensorflow.function",
        "tensorflow.autograph.experimental.do_not_convert",
        "tensorflow.keras.utils.register_keras_serializable",
        "tensorflow.keras.saving.register_keras_serializable",
        "tensorflow.custom_gradient",
        "tensorflow.recompute_grad",
        "atexit.register",
    }
)
_LET_THROUGH = words(
    """
    open scope device as_default GradientTape name_scope variable_scope Session strategy_scope
    closing nullcontext redirect_stdout redirect_stderr Lock RLock Pool ThreadPoolExecutor
    ProcessPoolExecutor TemporaryDirectory NamedTemporaryFile record_if control_dependencies
    custom_object_scope InteractiveSession MonitoredTrainingSession start_run Profile Trace
    catch_warnings File GFile ZipFile Graph init_scope
    """
)
_ITERATES = re.compile(r"tqdm\.(?:\w+\.)?t(?:qdm|qdm_notebook)$|rich\.progress\.track$")
_MAPS = frozenset({"tensorflow.nest.map_structure"})
_CELLS = frozenset({"tensorflow.Variable"})
_PUT_IN = frozenset({".assign", ".assign_add", ".assign_sub"})
_KEEP = frozenset(
    {
        *_PUT_IN,
        ".add",
        ".append",
        ".compile",
        ".extend",
        ".insert",
        ".setdefault",
        ".update",
    }
)
_KEEPS_KEYWORDS = frozenset({"tensorflow.train.Checkpoint"})
_STARTS = re.compile(
    r"click\.(?:command|group|option|argument|pass_context)$|(?:absl\.|tensorflow\.(?:compat\.v1\.)?)app\.run$|"
    r"fire\.Fire$|typer\.run$"
)
_HOOKS = re.compile(
    r"on_\w+|call|build|(?:train|test|predict)_step|make_\w+_function|compute_\w+|update_\w+"
    r"|__(?:call|enter|exit|getitem|iter|len|next)__"
)
_STARTS_MAIN = frozenset({"absl.app.run", "tensorflow.app.run"})
# What a program may be told no function, or a class or dictionary of functions, to choose from.
_CHOOSES = frozenset({"fire.Fire", "fire.core.Fire", "jsonargparse.CLI", "clize.run", "plac.call"})
# Decorators by which an object gets functions that it calls when it is called, or runs.
_REGISTER = frozenset({"command", "callback", "group", "main", "automain", "subcommand"})
ADDS_COMMANDS = ("add_command", "add_typer")  # methods that give a group another command
_NEVER_RETURN = frozenset({"sys.exit", "builtins.exit", "builtins.quit", "os._exit", "os.abort"})


def leaves_alone(name: str) -> bool:
    """Whether a call leaves what it is called with as it is."""
    return normal(name).partition(".")[0] in _LEAVE_ALONE and name not in _CHANGE


def gives_back(name: str) -> bool:
    """Whether a call gives back what it is called with."""
    return normal(name) in _GIVE_BACK


def swallows(name: str) -> bool:
    """Whether `with name():` may end an exception that is raised inside."""
    return name.rpartition(".")[2] not in _LET_THROUGH


def never_returns(name: str) -> bool:
    """Whether a call ends the program."""
    return name in _NEVER_RETURN


def iterates(name: str) -> bool:
    """Whether a call gives the elements of its first argument, and shows how far it is."""
    return _ITERATES.match(name) is not None


def gives_all(name: str) -> bool:
    """Whether a call gives the elements of its first argument, numbered or shown."""
    return name == "builtins.enumerate" or iterates(name)


def maps(name: str) -> bool:
    """Whether a call gives the elements of its other arguments to its first one."""
    return normal(name) in _MAPS


def is_cell(name: str) -> bool:
    """Whether a call makes an object that holds one value."""
    return normal(name) in _CELLS


def puts_in(name: str) -> bool:
    """Whether a method (its name starts with a dot) gives such an object its value."""
    return name in _PUT_IN


def keeps(name: str) -> bool:
    """Whether a method (its name starts with a dot) keeps what it is called with."""
    return name in _KEEP


def keeps_keywords(name: str) -> bool:
    """Whether the keywords of a call are attributes of what it makes."""
    return normal(name) in _KEEPS_KEYWORDS


def starts(name: str) -> bool:
    """Whether a call, or a decorator, calls a function with what stands on the command line."""
    return _STARTS.match(name) is not None


def starts_main(name: str) -> bool:
    """Whether a call that is told no function calls `main` of the program."""
    return normal(name) in _STARTS_MAIN


def chooses(name: str) -> bool:
    """Whether a call runs what the command line names: of what it is given, or of the module."""
    return name in _CHOOSES


def registers(name: str) -> bool:
    """Whether a decorator of that name hands a function to the object that it is asked of."""
    return name in _REGISTER


def is_hook(name: str) -> bool:
    """Whether libraries call a method of that name of what derives from their classes."""
    return _HOOKS.fullmatch(name) is not None
