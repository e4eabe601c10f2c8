"""How a job of many workers is started: by Horovod, MPI, Slurm, Kubernetes or Ray, ready to copy.

https://horovod.readthedocs.io (running_include, mpi_include, ray_include), Horovod 0.28.1;
https://github.com/kubeflow/mpi-operator (v2beta1).
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Callable

from distify.codemods.program.records import NamedTuple


class Job(NamedTuple):
    """What is to be started: `python …`, so many workers, and of them so many on each machine."""

    script: str  # a path, or the name of a module
    arguments: tuple[str, ...] = ()
    is_module: bool = False
    folder: str = ""  # where it has to be started, if not here
    workers: int = 2
    gpus: int = 0  # of each machine; 0: all workers on one, without any

    @property
    def machines(self) -> int:
        """How many machines that takes."""
        return self.workers // self.each

    @property
    def each(self) -> int:
        """Workers on each machine: one for each GPU."""
        return self.gpus or self.workers

    @property
    def words(self) -> tuple[str, ...]:
        """The command of one worker."""
        return ("python", *(["-m"] if self.is_module else []), self.script, *self.arguments)

    @property
    def command(self) -> str:
        """The same for a shell."""
        return shlex.join(self.words)

    @property
    def name(self) -> str:
        """What the job is called: letters, digits and dashes, as Kubernetes wants it."""
        last = self.script.rpartition(".")[2] if self.is_module else PurePath(self.script).stem
        return re.sub(r"[^a-z0-9]+", "-", last.lower()).strip("-") or "training"


def horovodrun(job: Job) -> str:
    """One line, on this machine or on several that `ssh` reaches."""
    return f"{_there(job)}horovodrun -np {job.workers}{_hosts(job)} {job.command}\n"


def mpirun(job: Job) -> str:
    """The options that Horovod's documentation gives for Open MPI."""
    return (
        f"{_there(job)}mpirun -np {job.workers}{_hosts(job)} \\\n"
        "    -bind-to none -map-by slot \\\n"
        "    -x LD_LIBRARY_PATH -x PATH -x NCCL_DEBUG=INFO \\\n"
        "    -mca pml ob1 -mca btl ^openib \\\n"
        f"    {job.command}\n"
    )


def slurm(job: Job) -> str:
    """A file for `sbatch`; `horovodrun` starts the workers on the machines that Slurm gives."""
    gpus = f"#SBATCH --gpus-per-node={job.gpus}\n" if job.gpus else ""
    there = _there(job).replace(" && ", "\n")
    return f"""\
#!/bin/bash
#SBATCH --job-name={job.name}
#SBATCH --nodes={job.machines}
#SBATCH --ntasks-per-node={job.each}
{gpus}
{there}nodes=$(scontrol show hostnames "$SLURM_JOB_NODELIST")
hosts=$(sed 's/$/:{job.each}/' <<< "$nodes" | paste -sd,)
horovodrun -np {job.workers} -H "$hosts" {job.command}
# Where Horovod was built with MPI, and Slurm with PMIx, in place of these three lines:
# srun --mpi=pmix {job.command}
"""


def kubernetes(job: Job) -> str:
    """An MPIJob of Kubeflow's MPI operator; the image needs Horovod with MPI, and `sshd`."""
    limits = (
        f"\n              limits:\n                nvidia.com/gpu: {job.gpus}"
        if job.gpus
        else " {}"
    )
    words = ["mpirun", "-np", str(job.workers), "-bind-to", "none", "-map-by", "slot"]
    words += ["-x", "LD_LIBRARY_PATH", "-x", "PATH", "-mca", "pml", "ob1", *job.words]
    command = "\n".join(f"            - {json.dumps(word)}" for word in words)
    return f"""\
apiVersion: kubeflow.org/v2beta1
kind: MPIJob
metadata:
  name: {job.name}
spec:
  slotsPerWorker: {job.each}
  runPolicy:
    cleanPodPolicy: Running
  mpiReplicaSpecs:
    Launcher:
      replicas: 1
      template:
        spec:
          containers:
          - name: launcher
            image: IMAGE  # with the program, TensorFlow, and Horovod built with MPI
            command:
{command}
    Worker:
      replicas: {job.machines}
      template:
        spec:
          containers:
          - name: worker
            image: IMAGE
            resources:{limits}
"""


def ray(job: Job) -> str:
    """A program that runs the script on the workers of a Ray cluster."""
    run = "run_module" if job.is_module else "run_path"
    more = ", alter_sys=True" if job.is_module else ""
    gpu = ", use_gpu=True" if job.gpus else ""
    return f"""\
import runpy
import sys

import ray
from horovod.ray import RayExecutor


def train():
    sys.argv = {_list((job.script, *job.arguments))}
    runpy.{run}({json.dumps(job.script)}, run_name="__main__"{more})


ray.init(address="auto", runtime_env={{"working_dir": {json.dumps(job.folder or ".")}}})
settings = RayExecutor.create_settings(timeout_s=60)
executor = RayExecutor(settings, num_workers={job.workers}{gpu})
executor.start()
executor.run(train)
executor.shutdown()
"""


FORMS: Mapping[str, tuple[str, Callable[[Job], str]]] = {
    "horovodrun": ("a line for the shell", horovodrun),
    "mpirun": ("a line for the shell, where Horovod is built with Open MPI", mpirun),
    "slurm": ("a file for `sbatch`", slurm),
    "kubernetes": ("a file for `kubectl apply -f`, where Kubeflow's MPI operator is", kubernetes),
    "ray": ("a program that runs on the head of a Ray cluster", ray),
}


def _there(job: Job) -> str:
    return f"cd {shlex.quote(job.folder)} && " if job.folder else ""


def _hosts(job: Job) -> str:
    """`-H` where there are several machines; their names are yours to fill in."""
    if job.machines == 1:
        return ""
    return f" -H {','.join(f'host{number}:{job.each}' for number in range(1, job.machines + 1))}"


def _list(words: Sequence[str]) -> str:
    return f"[{', '.join(map(json.dumps, words))}]"
