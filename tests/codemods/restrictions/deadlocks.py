"""Spellings of collectives that only some workers call, and of such that all of them do."""

from __future__ import annotations

ALONE = {
    "by an entry that a function gives": (
        "def info():\n    return {'rank': hvd.rank(), 'n': hvd.size()}\n\n\n"
        "if info()['rank'] == 0:\n    hvd.barrier()  #\n"
    ),
    "by one of two names": (
        "rank, size = hvd.rank(), hvd.size()\nif rank < 1:\n    hvd.allreduce(1.0)  #\n"
    ),
    "behind a return through `finally`": (
        "def f():\n    try:\n        if hvd.rank() == 0:\n            return 1\n"
        "    finally:\n        print('x')\n    hvd.barrier()  #\n\n\nf()\n"
    ),
    "in the `else` of a `try` that some leave": (
        "def f():\n    try:\n        if hvd.rank() == 0:\n            return 1\n"
        "    except ValueError:\n        pass\n    else:\n        hvd.barrier()  #\n\n\n"
        "f()\n"
    ),
    "in a `while`": ("n = hvd.rank()\nwhile n > 0:\n    hvd.barrier()  #\n    n -= 1\n"),
    "until a number of its own": (
        "i = 0\nwhile True:\n    if i >= 10 + hvd.rank():\n        break\n"
        "    hvd.allreduce(i)  #\n    i += 1\n"
    ),
    "in a lambda": (
        "mean = lambda v: hvd.allreduce(v)\nif hvd.rank() == 0:\n    print(mean(1.0))  #\n"
    ),
    "in an expression of a lambda": (
        "mean = lambda v: hvd.allreduce(v) if hvd.rank() == 0 else v  #\nmean(1.0)\n"
    ),
    "by a lambda": ("chief = lambda: hvd.rank() == 0\nif chief():\n    hvd.barrier()  #\n"),
    "behind `or`": ("hvd.rank() or hvd.barrier()  #\n"),
    "in an assert": ("if hvd.rank() == 0:\n    assert hvd.allreduce(1.0) > 0  #\n"),
    "by a dictionary of functions": (
        "def lead():\n    hvd.barrier()\n\n\ndef follow():\n    pass\n\n\n"
        "{True: lead, False: follow}[hvd.rank() == 0]()  #\n"
    ),
    "by a dictionary of functions for some": (
        "def lead():\n    hvd.barrier()\n\n\ndef follow():\n    pass\n\n\n"
        "actions = {0: lead}\nactions.get(hvd.rank(), follow)()  #\n"
    ),
    "as one of two functions": (
        "def mean(v):\n    return hvd.allreduce(v)\n\n\ndef keep(v):\n    return v\n\n\n"
        "reduce = mean if hvd.rank() == 0 else keep\nreduce(1.0)  #\n"
    ),
    "as one of two outside functions": (
        "if hvd.rank() == 0:\n    reduce = hvd.allreduce\nelse:\n    reduce = tf.identity\n"
        "reduce(1.0)  #\n"
    ),
    "in a loop over a generator that some leave": (
        "def steps():\n    for i in range(10):\n        if hvd.rank() == 0 and i > 5:\n"
        "            return\n        yield i\n\n\nfor i in steps():\n"
        "    hvd.allreduce(i)  #\n"
    ),
    "in a generator": (
        "def means():\n    for i in range(3):\n        yield hvd.allreduce(i)\n\n\n"
        "if hvd.rank() == 0:\n    print(list(means()))  #\n"
    ),
    "in a context manager": (
        "import contextlib\n\n\n@contextlib.contextmanager\ndef first():\n"
        "    if hvd.rank() == 0:\n        hvd.barrier()  #\n    yield\n\n\nwith first():\n"
        "    pass\n"
    ),
    "behind an error that `suppress` takes": (
        "import contextlib\nwith contextlib.suppress(RuntimeError):\n"
        "    if hvd.rank() == 1:\n        raise RuntimeError('x')\n    hvd.barrier()  #\n"
    ),
    "by the beginning of a text": (
        "if os.environ['SLURM_PROCID'].startswith('0'):\n    hvd.barrier()  #\n"
    ),
    "by a variable that has a name": (
        "RANK = 'OMPI_COMM_WORLD_RANK'\nif int(os.environ[RANK]) == 0:\n    hvd.barrier()  #\n"
    ),
    "by a default that is a number": (
        "import argparse\n\nparser = argparse.ArgumentParser()\n"
        "parser.add_argument('--rank', type=int, default=os.environ.get('SLURM_PROCID', 0))\n"
        "args = parser.parse_args()\nif args.rank == 0:\n    hvd.barrier()  #\n"
    ),
    "by a field of a named tuple": (
        "import collections\n\nWorker = collections.namedtuple('Worker', 'rank size')\n"
        "worker = Worker(hvd.rank(), hvd.size())\nif worker.rank == 0:\n"
        "    hvd.barrier()  #\n"
    ),
    "by a field that is made": (
        "import dataclasses\n\n\n@dataclasses.dataclass\nclass Job:\n"
        "    rank: int = dataclasses.field(default_factory=hvd.rank)\n\n\njob = Job()\n"
        "if job.rank == 0:\n    hvd.barrier()  #\n"
    ),
    "by a field that is set behind the others": (
        "from dataclasses import dataclass\n\n\n@dataclass\nclass Job:\n    rank: int\n"
        "    chief: bool = False\n\n    def __post_init__(self):\n"
        "        self.chief = self.rank == 0\n\n\nif Job(hvd.rank()).chief:\n"
        "    hvd.barrier()  #\n"
    ),
    "by a property that asks itself": (
        "class Job:\n    @property\n    def chief(self):\n        return hvd.rank() == 0\n"
        "\n\njob = Job()\nif job.chief:\n    hvd.barrier()  #\n"
    ),
    "by a property that is kept": (
        "import functools\n\n\nclass Job:\n    @functools.cached_property\n"
        "    def chief(self):\n        return hvd.rank() == 0\n\n\njob = Job()\n"
        "if job.chief:\n    hvd.barrier()  #\n"
    ),
    "by a function whose value is kept": (
        "import functools\n\n\n@functools.lru_cache(None)\ndef chief():\n"
        "    return hvd.rank() == 0\n\n\nif chief():\n    hvd.barrier()  #\n"
    ),
    "by a static method": (
        "class Dist:\n    @staticmethod\n    def is_main():\n"
        "        return hvd.rank() == 0\n\n\nif Dist.is_main():\n    hvd.barrier()  #\n"
    ),
    "by an element": (
        "flags = [True] + [False] * (hvd.size() - 1)\nif flags[hvd.rank()]:\n    hvd.barrier()  #\n"
    ),
    "by a text for the number": (
        "roles = {0: 'chief'}\nif roles.get(hvd.rank(), 'worker') == 'chief':\n"
        "    hvd.barrier()  #\n"
    ),
    "where only one has a file": (
        "log = open('log.txt', 'w') if hvd.rank() == 0 else None\nif log is not None:\n"
        "    log.write(str(hvd.allreduce(1.0)))  #\n"
    ),
    "where only one has a writer": (
        "writer = None\nif hvd.rank() == 0:\n"
        "    writer = tf.summary.create_file_writer('logs')\nif writer is not None:\n"
        "    hvd.allreduce(1.0)  #\n"
    ),
    "by a decorator that gives two functions": (
        "def chief_only(fn):\n    if hvd.rank() == 0:\n        return fn\n"
        "    return lambda *args: None\n\n\n@chief_only\ndef mean(v):\n"
        "    return hvd.allreduce(v)\n\n\nmean(1.0)  #\n"
    ),
    "in a lambda that is handed on": (
        "def on_chief(fn):\n    if hvd.rank() == 0:\n        fn()  #\n\n\n"
        "on_chief(lambda: hvd.barrier())\n"
    ),
    "in a function that calls what it gets": (
        "def on_chief(fn, *args):\n    if hvd.rank() == 0:\n        return fn(*args)  #\n\n"
        "\non_chief(hvd.allreduce, 1.0)\n"
    ),
    "in a map": ("if hvd.rank() == 0:\n    print(list(map(hvd.allreduce, [1.0, 2.0])))  #\n"),
    "in an enumerated range": (
        "epochs = 10 if hvd.rank() == 0 else 9\nfor i, e in enumerate(range(epochs)):\n"
        "    hvd.allreduce(e)  #\n"
    ),
    "behind an error that a caller takes": (
        "class Done(Exception):\n    pass\n\n\ndef step(i):\n"
        "    if hvd.rank() == 0 and i == 3:\n        raise Done\n    hvd.allreduce(i)  #\n"
        "\n\ntry:\n    for i in range(9):\n        step(i)\nexcept Done:\n    pass\n"
    ),
    "by MPI": (
        "from mpi4py import MPI\n\nif MPI.COMM_WORLD.Get_rank() == 0:\n    hvd.barrier()  #\n"
    ),
    "by an attribute of MPI's": (
        "from mpi4py import MPI\n\ncomm = MPI.COMM_WORLD\nif comm.rank == 0:\n"
        "    hvd.barrier()  #\n"
    ),
    "by a flag of absl": (
        "from absl import flags\n\nflags.DEFINE_integer('rank', hvd.rank(), 'x')\n"
        "FLAGS = flags.FLAGS\nif FLAGS.rank == 0:\n    hvd.barrier()  #\n"
    ),
    "until a flag is set": (
        "done = False\nfor i in range(10):\n    if done:\n        break\n"
        "    hvd.allreduce(i)  #\n    if hvd.rank() == 0 and i > 3:\n        done = True\n"
    ),
    "until it is done": (
        "done = False\ni = 0\nwhile not done:\n    hvd.allreduce(i)  #\n    i += 1\n"
        "    done = i > 5 + hvd.rank()\n"
    ),
    "by a count": (
        "epochs = 10 if hvd.rank() == 0 else 9\nfor e in range(epochs):\n    hvd.allreduce(e)  #\n"
    ),
    "in a coroutine": (
        "import asyncio\n\n\nasync def main():\n    if hvd.rank() == 0:\n"
        "        hvd.barrier()  #\n\n\nasyncio.run(main())\n"
    ),
    "by an attribute of a base": (
        "class Base:\n    def __init__(self):\n        self.rank = hvd.rank()\n\n\n"
        "class T(Base):\n    def __init__(self):\n        super().__init__()\n"
        "        self.n = 1\n\n    def go(self):\n        if self.rank == 0:\n"
        "            hvd.barrier()  #\n\n\nT().go()\n"
    ),
    "in the rest from its number on": (
        "items = list(range(8))\nfor i in items[hvd.rank() :]:\n    hvd.allreduce(i)  #\n"
    ),
    "in the rest up to its number, which has a name": (
        "items = list(range(8))\npart = items[: hvd.rank()]\nfor n, i in enumerate(part):\n"
        "    hvd.allreduce(i)  #\n"
    ),
    "in a loop of a graph": (
        "n = tf.while_loop(lambda i: i < 3 + hvd.rank(), lambda i: hvd.allreduce(i), [0])  #\n"
    ),
    "in functions of a loop of a graph": (
        "def goes_on(i):\n    return i < hvd.rank()\n\n\ndef step(i):\n    return hvd.allreduce(i) + 1\n"
        "\n\nn = tf.while_loop(cond=goes_on, body=step, loop_vars=[0])  #\n"
    ),
    "by a keyword": (
        "def f(**kw):\n    if kw['rank'] == 0:\n        hvd.barrier()  #\n\n\nf(rank=hvd.rank())\n"
    ),
    "by `setattr`": (
        "class C:\n    pass\n\n\nc = C()\nsetattr(c, 'chief', hvd.rank() == 0)\n"
        "if c.chief:\n    hvd.barrier()  #\n"
    ),
}
TOGETHER = {
    "of shares that slices take": (
        "items = list(range(8))\nn = 8 // hvd.size()\nfor i in items[hvd.rank() :: hvd.size()]:\n"
        "    hvd.allreduce(i)\nfor i in items[hvd.rank() * n : (hvd.rank() + 1) * n]:\n"
        "    hvd.allreduce(i)\nfor i in items[hvd.rank() :][:: hvd.size()]:\n    hvd.allreduce(i)\n"
    ),
    "in the rest from the number of workers on": (
        "items = list(range(8))\nfor i in items[hvd.size() :]:\n    hvd.allreduce(i)\n"
    ),
    "in a loop of a graph that goes on as far on all": (
        "n = tf.while_loop(lambda i: i < hvd.size(), lambda i: hvd.allreduce(i), [0])\n"
        "m = tf.while_loop(lambda i: i < hvd.rank(), lambda i: i + 1, [0])\n"
    ),
    "by the number of workers, which an attribute holds": (
        "class T:\n    def __init__(self):\n"
        "        self.rank, self.size = hvd.rank(), hvd.size()\n\n    def go(self, v):\n"
        "        if self.size > 1:\n            v = hvd.allreduce(v)\n        return v\n\n"
        "\nT().go(1.0)\n"
    ),
    "in both of a dictionary of functions": (
        "def lead():\n    hvd.barrier()\n\n\ndef follow():\n    hvd.barrier()\n\n\n"
        "{True: lead, False: follow}[hvd.rank() == 0]()\n"
    ),
    "before a dictionary of functions": (
        "def lead():\n    print(1)\n\n\ndef follow():\n    pass\n\n\nhvd.barrier()\n"
        "{True: lead, False: follow}[hvd.rank() == 0]()\n"
    ),
    "as one of two functions for all": (
        "def mean(v):\n    return hvd.allreduce(v)\n\n\ndef keep(v):\n    return v\n\n\n"
        "reduce = mean if hvd.size() > 1 else keep\nreduce(1.0)\n"
    ),
    "in an object of a list that is longer on one": (
        "class A:\n    def end(self, v):\n        self.v = hvd.allreduce(v)\n\n\nclass B:\n"
        "    def end(self, v):\n        print(v)\n\n\ncallbacks = [A()]\n"
        "if hvd.rank() == 0:\n    callbacks.append(B())\nfor c in callbacks:\n"
        "    c.end(1.0)\n"
    ),
    "in a function for an object of such a list": (
        "class A:\n    def end(self, v):\n        self.v = hvd.allreduce(v)\n\n\nclass B:\n"
        "    def end(self, v):\n        print(v)\n\n\ndef run(c):\n    c.end(1.0)\n\n\n"
        "callbacks = [A()]\nif hvd.rank() == 0:\n    callbacks.append(B())\n"
        "for c in callbacks:\n    run(c)\n"
    ),
    "in a loop over a share": (
        "def mine(data):\n    for i, v in enumerate(data):\n"
        "        if i % hvd.size() == hvd.rank():\n            yield v\n\n\n"
        "for v in mine(range(64)):\n    hvd.allreduce(v)\n"
    ),
    "in a loop over a share that leaves out the others'": (
        "def mine(data):\n    for i, v in enumerate(data):\n"
        "        if i % hvd.size() != hvd.rank():\n            continue\n        yield v\n"
        "\n\nfor v in mine(range(64)):\n    hvd.allreduce(v)\n"
    ),
    "in a loop over a generator of turns": (
        "def mine(n):\n    for i in range(hvd.rank(), n, hvd.size()):\n        yield i\n\n"
        "\nfor v in mine(64):\n    hvd.allreduce(v)\n"
    ),
    "in a loop over a file of one's own": (
        "def rows():\n    with open(f'part-{hvd.rank()}.csv') as f:\n"
        "        for line in f:\n            yield line\n\n\nfor v in rows():\n"
        "    hvd.allreduce(1.0)\n"
    ),
    "in a loop over a generator that prints on one": (
        "def rows():\n    for i in range(8):\n        if hvd.rank() == 0:\n"
        "            print(i)\n        yield i\n\n\nfor v in rows():\n"
        "    hvd.allreduce(1.0)\n"
    ),
    "with what an endless generator gives": (
        "import numpy as np\n\n\ndef batches(x, seed):\n"
        "    rng = np.random.RandomState(seed)\n    while True:\n"
        "        for i in rng.permutation(len(x)):\n            yield x[i]\n\n\n"
        "g = batches(np.ones(8), hvd.rank())\nfor i in range(5):\n"
        "    hvd.allreduce(next(g))\n"
    ),
    "in a loop over a generator of as many": (
        "import numpy as np\nper = 100\n\n\ndef mine(x):\n"
        "    for i in range(hvd.rank() * per, (hvd.rank() + 1) * per):\n"
        "        yield x[i]\n\n\nfor v in mine(np.ones(1000)):\n    hvd.allreduce(v)\n"
    ),
    "before one writes": (
        "writer = tf.summary.create_file_writer('logs') if hvd.rank() == 0 else None\n"
        "for i in range(3):\n    mean = hvd.allreduce(i)\n    if writer is not None:\n"
        "        with writer.as_default():\n            tf.summary.scalar('x', mean, i)\n"
    ),
    "by a path that may be left out": (
        "path = sys.argv[1] if len(sys.argv) > 1 else None\nif path is not None:\n"
        "    hvd.barrier()\n"
    ),
    "where all have a path": (
        "path = 'a' if hvd.rank() == 0 else 'b'\nif path is not None:\n    hvd.barrier()\n"
    ),
    "where both may have a path": (
        "def log(v, path=None):\n    if path is not None:\n        v = hvd.allreduce(v)\n"
        "    print(v)\n\n\nlog(1.0)\nlog(1.0, 'a' if hvd.rank() == 0 else 'b')\n"
    ),
    "where each has a number, or none": (
        "rank = None\nif hvd.is_initialized():\n    rank = hvd.rank()\n"
        "if rank is not None:\n    hvd.barrier()\n"
    ),
    "behind what `suppress` is for": (
        "import contextlib\nwith contextlib.suppress(FileNotFoundError):\n"
        "    if hvd.rank() == 0:\n        os.remove('x')\nhvd.barrier()\n"
    ),
    "behind an error that the caller doesn't take": (
        "def check():\n    if hvd.rank() > 7:\n        raise ValueError('x')\n\n\ntry:\n"
        "    check()\nexcept KeyError:\n    pass\nhvd.barrier()\n"
    ),
    "behind an error that ends the program": (
        "def check():\n    if hvd.rank() > 7:\n        raise ValueError('x')\n\n\ntry:\n"
        "    check()\nexcept ValueError:\n    sys.exit(1)\nhvd.barrier()\n"
    ),
    "behind an error that a caller raises again": (
        "def check():\n    if hvd.rank() > 7:\n        raise ValueError('x')\n\n\ntry:\n"
        "    check()\nexcept ValueError as error:\n    print(error)\n    raise\n"
        "hvd.barrier()\n"
    ),
    "by a variable that all have": (
        "for key in ('OMPI_COMM_WORLD_RANK', 'SLURM_PROCID'):\n    if key in os.environ:\n"
        "        hvd.barrier()\n"
    ),
    "by a variable of the number of workers": (
        "KEY = 'OMPI_COMM_WORLD_SIZE'\nif int(os.environ[KEY]) > 1:\n    hvd.barrier()\n"
    ),
    "by a word": ("mode = sys.argv[1]\nif mode == 'RANK':\n    hvd.barrier()\n"),
    "by another flag of absl": (
        "from absl import flags\n\nflags.DEFINE_integer('epochs', 3, 'x')\n"
        "FLAGS = flags.FLAGS\nfor e in range(FLAGS.epochs):\n    hvd.allreduce(1.0)\n"
    ),
    "in a map of all": (
        "print(list(map(hvd.allreduce, [1.0, 2.0])))\nif hvd.rank() == 0:\n"
        "    print(list(map(str, [1.0])))\n"
    ),
    "in a lambda of all": (
        "mean = lambda v: hvd.allreduce(v)\nm = mean(1.0)\nif hvd.rank() == 0:\n    print(m)\n"
    ),
    "in a lambda that all run": (
        "def on_all(fn):\n    return fn()\n\n\non_all(lambda: hvd.barrier())\n"
        "if hvd.rank() == 0:\n    print('x')\n"
    ),
    "in the `else` of a `try` that all leave": (
        "def f():\n    try:\n        if hvd.size() == 1:\n            return 1\n"
        "    except ValueError:\n        pass\n    else:\n        hvd.barrier()\n\n\nf()\n"
    ),
    "behind the `else` of a `try` that some leave": (
        "def f():\n    try:\n        if hvd.rank() == 0:\n            return 1\n"
        "    except ValueError:\n        pass\n    else:\n        print('x')\n\n\nf()\n"
        "hvd.barrier()\n"
    ),
    "as often on all": (
        "epochs = 8 // hvd.size()\nfor i, e in enumerate(range(epochs)):\n"
        "    if hvd.rank() == 0:\n        print(e)\n    hvd.allreduce(e)\n"
    ),
    "in a context manager, in turns": (
        "import contextlib\n\n\n@contextlib.contextmanager\ndef first():\n"
        "    if hvd.rank() != 0:\n        hvd.barrier()\n    yield\n"
        "    if hvd.rank() == 0:\n        hvd.barrier()\n\n\nwith first():\n    pass\n"
    ),
    "in a generator of all": (
        "def means():\n    for i in range(3):\n        yield hvd.allreduce(i)\n\n\n"
        "values = list(means())\nif hvd.rank() == 0:\n    print(values)\n"
    ),
    "behind what MPI's number decides": (
        "from mpi4py import MPI\n\ncomm = MPI.COMM_WORLD\nif comm.rank == 0:\n"
        "    print('x')\nhvd.barrier()\n"
    ),
    "beside an element by the number": (
        "seeds = [1, 2, 3, 4]\nseed = seeds[hvd.rank()]\ntf.random.set_seed(seed)\nhvd.barrier()\n"
    ),
    "beside a device by the number": (
        "device = {0: '/gpu:0', 1: '/gpu:1'}[hvd.local_rank()]\nwith tf.device(device):\n"
        "    hvd.allreduce(1.0)\n"
    ),
    "given to one of two objects": (
        "class Log:\n    def write(self, v):\n        print(v)\n\n\nclass Dummy:\n"
        "    def write(self, v):\n        pass\n\n\n"
        "log = Log() if hvd.rank() == 0 else Dummy()\nlog.write(hvd.allreduce(1.0))\n"
    ),
    "given to one of two functions": (
        "show = print if hvd.rank() == 0 else (lambda *a: None)\nshow(hvd.allreduce(1.0))\n"
    ),
    "under a bar of one": (
        "from tqdm import tqdm\nsteps = range(10)\n"
        "it = tqdm(steps) if hvd.rank() == 0 else steps\nfor i in it:\n"
        "    hvd.allreduce(i)\n"
    ),
}
FITS = {
    "epochs for some": ("model.fit(x, y, epochs=10 if hvd.rank() == 0 else 5)  #\n"),
    "steps for some": ("model.fit(x, y, steps_per_epoch=10 + hvd.rank())  #\n"),
    "a fit that some leave out": (
        "for e in range(3):\n    if hvd.rank() != 0 and e == 2:\n        continue\n"
        "    model.fit(x, y, epochs=1)  #\n"
    ),
    "a batch that some leave out": (
        "for i in range(3):\n    if i != hvd.rank():\n        model.train_on_batch(x, y)  #\n"
    ),
}
