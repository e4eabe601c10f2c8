"""What the pictures of docs/ show, as a hash: a picture whose page says something else is old."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RECORD = ROOT / "docs" / "pictures.json"


def hashed(page: str) -> str:
    """Of the page with its style, but for the pages of codes below what a picture shows."""
    return hashlib.sha256(page.partition('id="codes"')[0].encode()).hexdigest()


def record(pages: dict[str, str]) -> None:
    """Keeps what each picture shows, beside the pictures."""
    found = {
        name: {
            "shows": hashed(page),
            "is": hashlib.sha256((RECORD.parent / name).read_bytes()).hexdigest(),
        }
        for name, page in pages.items()
    }
    RECORD.write_text(json.dumps(found, indent=2, sort_keys=True) + "\n", encoding="utf-8")
