"""Calls that write for a person or to a shared place: only one worker should (seed 001, 2.2).

A receiver counts by its role or origin; by the method's name alone only where no two libraries mean
different things by it.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Callable

from .names import KERAS
from .purity import table, words
from .roles import Role

if TYPE_CHECKING:
    from .facts import Facts

_CALLS = table("""
builtins: print
pprint: pprint pp
rich: print
sys.stdout: write writelines flush
sys.stderr: write writelines flush
tqdm: write
tqdm.tqdm: write
tqdm.auto.tqdm: write
tensorflow: print
tensorflow.io: write_file write_graph
tensorflow.io.gfile: remove rmtree
tensorflow.saved_model: save
tensorflow.summary: trace_on trace_off trace_export
tensorflow.profiler.experimental: start stop
tensorflow.keras.models: save_model
tensorflow.keras.saving: save_model
tensorflow.keras.utils: plot_model save_img
tensorflow.keras.preprocessing.image: save_img
matplotlib.pyplot: savefig show imsave
pylab: savefig show imsave
numpy: save savez savez_compressed savetxt
json: dump
pickle: dump
cloudpickle: dump
dill: dump
joblib: dump
scipy.io: savemat
scipy.io.wavfile: write
soundfile: write
imageio: imsave imwrite mimsave mimwrite
imageio.v2: imsave imwrite mimsave mimwrite
imageio.v3: imwrite
skimage.io: imsave
cv2: imshow imwrite
os: remove rename replace rmdir unlink
shutil: make_archive move rmtree
""")
_BY_ROLE = {
    Role.MODEL: frozenset({"summary", "save", "save_weights", "export"}),
    Role.CHECKPOINT: frozenset({"save", "write"}),
    Role.MANAGER: frozenset({"save"}),
}
_BY_METHOD = words(
    "savefig save_weights save_pretrained to_csv to_excel to_feather to_hdf to_parquet to_pickle "
    "tofile write_bytes write_text"
)
_MAKES_IMAGE = frozenset(
    f"{module}.array_to_img" for module in (KERAS + ".utils", KERAS + ".preprocessing.image")
)
_TEMPORARY = table("tempfile: mkdtemp mkstemp mktemp NamedTemporaryFile TemporaryDirectory")
_SAVING = ("save", "dump", "export", "open", "to_", "ModelCheckpoint")
_YAML = ("yaml.dump", "yaml.safe_dump")
_FOLDERS = ("os.makedirs", "os.mkdir")
_EXISTENCE = frozenset(
    {"os.path.exists", "os.path.isdir", "tensorflow.io.gfile.exists", "tensorflow.io.gfile.isdir"}
)
_PATHS = frozenset({"pathlib.Path", "pathlib.PosixPath", "pathlib.WindowsPath", "pathlib.PurePath"})
_PATH_METHODS = words("joinpath resolve absolute expanduser with_suffix with_name cwd home parent")
OPENERS = frozenset(
    {"builtins.open", "io.open", "codecs.open", "gzip.open", "bz2.open", "lzma.open"}
)
_OTHER_FILES = frozenset({"tensorflow.io.gfile.GFile", "tensorflow.gfile.GFile", "h5py.File"})
_FILE_METHODS = frozenset(
    {"write", "writelines", "flush", "close", "writerow", "writerows", "writeheader"}
)
_ROWS = frozenset({"csv.writer", "csv.DictWriter"})
_Opened = Callable[["Facts", ast.AST], bool]
# What they return is used: the path of the checkpoint.
_GIVES_A_PATH = frozenset({Role.CHECKPOINT, Role.MANAGER})


def is_output(facts: Facts, call: ast.Call) -> bool:
    """Whether only rank 0 should make this call."""
    if is_private(facts, call):
        return False
    name = facts.name(call.func)
    if name is not None:
        if name in _FOLDERS:
            return is_exclusive(facts, call)
        return name in _CALLS or (name in _YAML and _has_stream(call))
    func = call.func
    if not isinstance(func, ast.Attribute) or facts.callee(call) is not None:
        return False
    if func.attr in _BY_ROLE.get(role(facts, func.value), frozenset()):  # type: ignore[arg-type]
        return True
    return _is_method_output(facts, func)


def is_private(facts: Facts, call: ast.Call) -> bool:
    """Whether it saves in a temporary folder, of which every worker makes one of its own."""
    func = call.func
    method = func.attr if isinstance(func, ast.Attribute) else (facts.name(func) or "")
    saves = method.rpartition(".")[2].startswith(_SAVING)
    return (saves or any(k.arg == "file" for k in call.keywords)) and any(
        facts.name(inner.func) in _TEMPORARY
        for argument in [*call.args, *(k.value for k in call.keywords)]
        for node in _made_of(facts, argument)
        for inner in ast.walk(node)
        if isinstance(inner, ast.Call)
    )


def _made_of(facts: Facts, expr: ast.AST) -> set[ast.AST]:
    """The expressions that a value is put together from, through names."""
    found: set[ast.AST] = set()
    queue = [expr]
    while queue:
        node = queue.pop()
        if node not in found:
            found.add(node)
            names = (n for n in ast.walk(node) if isinstance(n, (ast.Name, ast.Attribute)))
            queue += [made for name in names for made in facts.origins(name).nodes]
    return found


def gives_a_path(facts: Facts, call: ast.Call) -> bool:
    """Whether the call saves a checkpoint, whose path later code may use."""
    return isinstance(call.func, ast.Attribute) and role(facts, call.func.value) in _GIVES_A_PATH


def role(facts: Facts, receiver: ast.expr) -> Role | None:
    """The role of a receiver; `self` in a model and `self.model` in a callback are models."""
    found = facts.role(receiver)
    if found is not None:
        return found
    if facts.training.is_model(receiver):
        return Role.MODEL
    owner = (
        facts.classes.self_class(receiver.value) if isinstance(receiver, ast.Attribute) else None
    )
    if owner is not None and isinstance(receiver, ast.Attribute) and receiver.attr == "model":
        return Role.MODEL if facts.role_of_class(owner) is Role.CALLBACK else None
    return None


def _is_method_output(facts: Facts, func: ast.Attribute) -> bool:
    if func.attr in _BY_METHOD:
        return not _is_defined_here(facts, func.attr)
    if func.attr == "save":
        return is_image(facts, func.value)
    return is_file_write(facts, func) and not is_written_file(facts, func.value, is_plain_open)


def _is_defined_here(facts: Facts, method: str) -> bool:
    """Whether a class of this module has a method of that name: its own body is rewritten."""
    return any(
        isinstance(node, ast.ClassDef) and facts.classes.method(node, method) is not None
        for node in facts.index.scopes
    )


def _has_stream(call: ast.Call) -> bool:
    return len(call.args) > 1 or any(k.arg == "stream" for k in call.keywords)


def is_image(facts: Facts, expr: ast.AST) -> bool:
    """Whether the value may come from Pillow, perhaps through methods (`image.resize(size)`).

    One origin is enough: `image = array_to_img(image)` was an array before, which has no `save`.
    """
    seen: set[ast.AST] = set()
    queue: list[ast.AST] = [expr]
    while queue:
        node = queue.pop()
        if node in seen:
            continue
        seen.add(node)
        name = facts.name(node.func) if isinstance(node, ast.Call) else None
        if name is not None and (name.startswith("PIL.") or name in _MAKES_IMAGE):
            return True
        if not isinstance(node, ast.Call):
            queue += facts.origins(node).nodes
        elif name is None and isinstance(node.func, ast.Attribute):
            queue.append(node.func.value)
    return False


# -- folders -----------------------------------------------------------------------------------


def is_exclusive(facts: Facts, call: ast.Call) -> bool:
    """Whether the new folder must not be there yet, which can be true for one worker only."""
    if facts.argument(call, "exist_ok", 2) is not None or is_checked_before(facts, call):
        return False
    around = (parent for parent in facts.parents(call) if isinstance(parent, ast.Try))
    return not any(parent.handlers for parent in around)


def is_checked_before(facts: Facts, call: ast.Call) -> bool:
    """Whether a folder is only made where a test around has not found it."""
    tests = (parent.test for parent in facts.parents(call) if isinstance(parent, ast.If))
    return any(_asks_for_existence(facts, node) for test in tests for node in ast.walk(test))


def _asks_for_existence(facts: Facts, node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    is_method = isinstance(node.func, ast.Attribute) and node.func.attr in ("exists", "is_dir")
    return facts.name(node.func) in _EXISTENCE or is_method


def is_path(facts: Facts, expr: ast.AST) -> bool:
    """Whether the value is a `pathlib` path: `Path(a) / b`, `.parent`, a name for one."""
    if isinstance(expr, ast.BinOp):
        return is_path(facts, expr.left)
    if isinstance(expr, ast.Call):
        name = facts.name(expr.func)
        if name is not None:
            return name in _PATHS or name.startswith("pathlib.Path.")
        expr = expr.func
        return isinstance(expr, ast.Attribute) and _is_path_method(facts, expr)
    if isinstance(expr, ast.Attribute) and expr.attr == "parent":
        return is_path(facts, expr.value)
    nodes = facts.origins(expr).nodes if facts.origins(expr).complete else ()
    return bool(nodes) and all(node is not expr and is_path(facts, node) for node in nodes)


def _is_path_method(facts: Facts, func: ast.Attribute) -> bool:
    return func.attr in _PATH_METHODS and is_path(facts, func.value)


# -- files that are held open ------------------------------------------------------------------


def opened_to_write(facts: Facts, call: ast.AST) -> bool:
    """Whether the call opens a file for writing: a mode that is written out says so."""
    if not isinstance(call, ast.Call) or is_private(facts, call):
        return False
    name = facts.name(call.func)
    is_path = name is None and isinstance(call.func, ast.Attribute) and call.func.attr == "open"
    if not is_path and name not in OPENERS | _OTHER_FILES:
        return False
    mode = facts.argument(call, "mode", 0 if is_path else 1)
    text = mode.value if isinstance(mode, ast.Constant) else None
    return isinstance(text, str) and bool(set(text) & set("wax+"))


def is_plain_open(facts: Facts, call: ast.AST) -> bool:
    """Whether the null device can stand for the file: not one that is updated or must be new."""
    if not isinstance(call, ast.Call) or not opened_to_write(facts, call):
        return False
    mode = facts.argument(call, "mode", 1)
    text = mode.value if isinstance(mode, ast.Constant) else None
    return facts.name(call.func) in OPENERS and isinstance(text, str) and not set(text) & set("x+")


def is_file_write(facts: Facts, func: ast.expr) -> bool:
    """Whether the method writes to a file that the program opened for writing."""
    is_method = isinstance(func, ast.Attribute) and func.attr in _FILE_METHODS
    return is_method and is_written_file(facts, func.value)  # type: ignore[attr-defined]


def is_written_file(facts: Facts, expr: ast.expr, opened: _Opened = opened_to_write) -> bool:
    """Whether the value is a file that the program opened for writing, or a csv writer on one."""
    nodes = facts.origins(expr).nodes
    return bool(nodes) and all(opened(facts, n) or _writes_rows(facts, n, opened) for n in nodes)


def _writes_rows(facts: Facts, node: ast.AST, opened: _Opened) -> bool:
    if not isinstance(node, ast.Call) or facts.name(node.func) not in _ROWS or not node.args:
        return False
    return is_written_file(facts, node.args[0], opened)
