"""Which command lines only look, which install, and which words of one may be paths."""

from __future__ import annotations

import pytest

from distify.codemods.library import shell

LOOK = """\
nvidia-smi
ls -l data
/usr/bin/nvidia-smi --query-gpu=name
nvidia-smi 2>/dev/null | head -3
CUDA_VISIBLE_DEVICES=0 nvidia-smi >/dev/null 2>&1
git rev-parse HEAD && git log -1
find . -name '*.py'
cat a.txt | grep "a > b" | wc -l
mkdir -p data/train
pip list; python --version
tar tf a.tar
df -h || true
echo 'done; rm x'
""".splitlines()
CHANGE = """\
rm -rf data
ls > files.txt
echo a >> log
find . -name '*.pyc' -delete
git clone https://a
mkdir data
ls `rm a`
ls $(rm a)
ls "$(rm a)"
ls; mv a b
ls && python prepare.py
cat a | tee b
python --version; make
nvidia-smi & rm a
tar xf a.tar
sed -i s/a/b/ c
""".splitlines()
INSTALL = """\
pip install -q tensorflow matplotlib
pip install 'a>=1' -U
sudo apt-get update && apt-get -y install graphviz
python -m pip install a
conda install -y a
""".splitlines()


@pytest.mark.parametrize("command", LOOK)
def test_what_only_looks(command: str) -> None:
    assert shell.only_looks(command)
    assert shell.only_installs(command)


@pytest.mark.parametrize("command", CHANGE)
def test_what_changes_something(command: str) -> None:
    assert not shell.only_looks(command)
    assert not shell.only_installs(command)


@pytest.mark.parametrize("command", INSTALL)
def test_what_installs(command: str) -> None:
    assert not shell.only_looks(command)
    assert shell.only_installs(command)


def test_a_program_that_nobody_can_tell_changes_something() -> None:
    assert not shell.only_looks(f"{shell.HOLE} a")
    assert not shell.only_looks(shell.HOLE)
    assert shell.only_looks(f"ls {shell.HOLE}")
    assert shell.only_installs(f"{shell.HOLE} -m pip install a")


def test_a_cell_of_a_notebook_is_what_its_shell_runs() -> None:
    assert shell.shell_text("system", "rm a") == "rm a"
    assert shell.shell_text("run_cell_magic", "bash\nrm a\nls") == "rm a\nls"
    assert shell.shell_text("run_cell_magic", "writefile a.py\nrm") == ""
    assert shell.shell_text("run_line_magic", "matplotlib inline") == ""


def test_words_that_may_be_paths() -> None:
    text = "tar -xf 'data/a.tar' -C=out >log.txt;rm a"
    assert shell.words_of(text) == ["data/a.tar", "out", "log.txt", "rm", "a"]
