"""Pages name sources that everybody can read: documentation of TensorFlow, Keras and Horovod."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from distify import codemods

PAGES = sorted((Path(codemods.__path__[0]) / "pages").glob("*.md"))
OURS = {"S01"}  # about a comment of distify's own
HOSTS = (
    "www.tensorflow.org",
    "keras.io",
    "horovod.readthedocs.io",
    "docs.python.org",
    "github.com",
)


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_every_page_names_a_source_that_users_have(page: Path) -> None:
    hosts = re.findall(r"https://([\w.]+)/", page.read_text(encoding="utf-8"))
    assert page.stem in OURS or set(hosts) & set(HOSTS)
