"""Where checkpoints are remembered. What is checked of them is in clients/conformance/checkpoints.json."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from svc import CheckpointMemory, SvcError
from svc.checkpoints import FileStore


def test_a_file_is_its_owners_alone_and_replaced_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "held.json"
    store = FileStore(path)
    assert store.load() is None
    store.save("first — 1")
    path.chmod(0o644)
    with path.open() as held:
        store.save("second")
        assert held.read() == "first — 1"
    assert store.load() == "second"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert os.listdir(tmp_path) == ["held.json"]


def test_a_save_that_fails_leaves_the_old_text_and_no_rubbish(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = FileStore(tmp_path / "held.json")
    store.save("first")

    def refuse(*_args: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(OSError, match="disk full"):
        store.save("second")
    assert store.load() == "first"
    assert os.listdir(tmp_path) == ["held.json"]


def test_a_key_that_is_none_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(SvcError, match="Not a verifier key"):
        CheckpointMemory(FileStore(tmp_path / "x"), ["trail.example.com+0123abcd+short"])
