"""Where checkpoints are remembered. What is checked of them is in clients/conformance/checkpoints.json."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from svc import AsyncSvc, CheckpointError, CheckpointMemory, Svc, SvcError
from svc.checkpoints import FileStore, MemoryStore

ORIGIN = "trail.example.com/org/org_1"


class Log:
    """A log whose every leaf is its number."""

    def __init__(self, seed: int = 1, leaf: bytes = b"") -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
        public = self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self._id = hashlib.sha256(ORIGIN.encode() + b"\n\x01" + public).digest()[:4]
        self._leaf = leaf
        data = base64.b64encode(b"\x01" + public).decode()
        self.key = f"{ORIGIN}+{self._id.hex()}+{data}"

    def root(self, first: int, last: int) -> bytes:
        if last == first:
            return hashlib.sha256().digest()
        if last - first == 1:
            return hashlib.sha256(b"\0" + self._leaf + b"%d" % first).digest()
        half = first + (1 << (last - first - 1).bit_length() - 1)
        return hashlib.sha256(b"\1" + self.root(first, half) + self.root(half, last)).digest()

    def note(self, size: int, root: bytes | None = None, extension: str = "", signatures: int = 1) -> str:
        top = base64.b64encode(self.root(0, min(size, 99)) if root is None else root).decode()
        text = f"{ORIGIN}\n{size}\n{top}\n{extension}"
        signature = base64.b64encode(self._id + self._key.sign(text.encode())).decode()
        return text + "\n" + f"— {ORIGIN} {signature}\n" * signatures

    def proof(self, old: int, new: int) -> list[str]:
        def part(size: int, first: int, last: int, is_known: bool) -> list[bytes]:
            if size == last - first:
                return [] if is_known else [self.root(first, last)]
            half = 1 << (last - first - 1).bit_length() - 1
            if size <= half:
                return [*part(size, first, first + half, is_known), self.root(first + half, last)]
            return [*part(size - half, first + half, last, False), self.root(first, first + half)]

        return [base64.b64encode(one).decode() for one in (part(old, 0, new, True) if old else [])]


def service(log: Log, note: str, status: str = "active") -> Callable[[httpx.Request], httpx.Response]:
    def answer(request: httpx.Request) -> httpx.Response:
        path = request.url.path
        if path.endswith("/keys"):
            key = {"verifier_key": log.key, "status": status}
            return httpx.Response(200, json={"keys": [key], "origin": ORIGIN, "deployment": {}})
        if path.endswith("/checkpoint"):
            return httpx.Response(200, text=note)
        old, new = int(request.url.params["from"]), int(request.url.params["to"])
        return httpx.Response(200, json={"from": old, "to": new, "hashes": log.proof(old, new)})

    return answer


def client_of(log: Log, note: str, status: str = "active") -> Svc:
    transport = httpx.MockTransport(service(log, note, status))
    return Svc(api_key="k", http_client=httpx.Client(transport=transport))


def rule_of(memory: CheckpointMemory, log: Log, note: str, status: str = "active") -> str:
    with pytest.raises(CheckpointError) as raised:
        memory.check(client_of(log, note, status))
    return raised.value.rule


LOG = Log()


def test_a_log_that_grows_is_remembered() -> None:
    store = MemoryStore()
    for size in (0, 1, 2, 3, 7, 8, 9):
        checked = CheckpointMemory(store).check(client_of(LOG, LOG.note(size)))
        assert (checked.size, checked.is_first) == (size, size == 0)


def test_pinned_keys_are_trusted_and_not_those_that_are_remembered() -> None:
    store, other = MemoryStore(), Log(2)
    CheckpointMemory(store, [LOG.key]).check(client_of(LOG, LOG.note(3)))
    assert rule_of(CheckpointMemory(store, [other.key]), LOG, LOG.note(4)) == "unknown_key"
    CheckpointMemory(store, [other.key]).check(client_of(other, other.note(4)))
    assert json.loads(store.load() or "")["keys"] == [other.key]


def test_a_key_that_is_retired_is_not_trusted_at_first_use() -> None:
    assert rule_of(CheckpointMemory(MemoryStore()), LOG, LOG.note(3), "retired") == "unknown_key"


@pytest.mark.parametrize("keys", [[], [""], ["  ", "\n"], LOG.key, [None], [LOG.key[:-4] + "AAA="]])
def test_keys_of_which_none_is_one_are_told_at_once(keys: Any) -> None:
    with pytest.raises(SvcError) as raised:
        CheckpointMemory(MemoryStore(), keys)
    assert type(raised.value) is SvcError


def test_the_id_of_a_key_is_checked_at_once() -> None:
    name, key_id, rest = LOG.key.split("+", 2)
    wrong = f"{name}+{'0' * 8 if key_id[0] != '0' else '1' * 8}+{rest}"
    with pytest.raises(SvcError, match="id of the verifier key"):
        CheckpointMemory(MemoryStore(), [wrong])


def test_what_is_around_keys_does_not_count() -> None:
    memory = CheckpointMemory(MemoryStore(), [f"  {LOG.key}\r\n", "", "\n"])
    assert memory.check(client_of(LOG, LOG.note(3))).size == 3


@pytest.mark.parametrize(
    "note",
    [
        LOG.note(3, extension="a\x07b\n"),
        LOG.note(3, extension="a\tb\n"),
        LOG.note(2**53),
        LOG.note(3, signatures=101),
    ],
)
def test_a_note_beyond_its_form_is_malformed(note: str) -> None:
    assert rule_of(CheckpointMemory(MemoryStore(), [LOG.key]), LOG, note) == "malformed"


def test_the_ends_of_the_form_are_taken() -> None:
    for note in (LOG.note(2**53 - 1), LOG.note(3, signatures=100), LOG.note(3, extension="a b\n")):
        CheckpointMemory(MemoryStore(), [LOG.key]).check(client_of(LOG, note))


def test_an_empty_log_has_the_root_of_an_empty_log() -> None:
    store = MemoryStore()
    CheckpointMemory(store, [LOG.key]).check(client_of(LOG, LOG.note(0, root=bytes(32))))
    assert rule_of(CheckpointMemory(store, [LOG.key]), LOG, LOG.note(3)) == "inconsistent"


class SharedStore(MemoryStore):
    """Another process saves something while a check is under way."""

    def __init__(self, meanwhile: str) -> None:
        super().__init__()
        self._meanwhile = meanwhile
        self.loads = 0

    def load(self) -> str | None:
        self.loads += 1
        if self.loads == 2:
            super().save(self._meanwhile)
        return super().load()


def remembered(note: str) -> str:
    return json.dumps({"keys": [LOG.key], "note": note})


def test_what_is_remembered_never_goes_backwards() -> None:
    ahead = remembered(LOG.note(9))
    store = SharedStore(ahead)
    assert CheckpointMemory(store, [LOG.key]).check(client_of(LOG, LOG.note(3))).size == 3
    assert store.load() == ahead
    behind = SharedStore(remembered(LOG.note(2)))
    CheckpointMemory(behind, [LOG.key]).check(client_of(LOG, LOG.note(3)))
    assert json.loads(behind.load() or "")["note"] == LOG.note(3)
    fork = SharedStore(remembered(Log(1, b"other").note(3)))
    assert rule_of(CheckpointMemory(fork, [LOG.key]), LOG, LOG.note(3)) == "fork"


def test_checks_of_one_memory_follow_each_other() -> None:
    at_work, most = 0, 0

    async def answer(request: httpx.Request) -> httpx.Response:
        nonlocal at_work, most
        at_work += 1
        most = max(most, at_work)
        await asyncio.sleep(0)
        at_work -= 1
        return service(LOG, LOG.note(5))(request)

    async def go() -> None:
        transport = httpx.MockTransport(answer)
        async with httpx.AsyncClient(transport=transport) as mine:
            client = AsyncSvc(api_key="k", http_client=mine)
            memory = CheckpointMemory(MemoryStore())
            checked = await asyncio.gather(*(memory.check_async(client) for _ in range(5)))
        assert [one.is_first for one in checked] == [True, False, False, False, False]
        assert most == 1

    asyncio.run(go())


def test_the_wrong_client_is_told_which_check_is_for_it() -> None:
    memory: Any = CheckpointMemory(MemoryStore(), [LOG.key])
    with pytest.raises(SvcError, match="check_async"):
        memory.check(AsyncSvc(api_key="k"))
    with pytest.raises(SvcError, match=r"memory\.check\(client\)"):
        asyncio.run(memory.check_async(Svc(api_key="k")))


def test_a_file_that_is_no_text_is_malformed(tmp_path: Path) -> None:
    path = tmp_path / "held.json"
    path.write_bytes(b"\xff\xfe")
    assert rule_of(CheckpointMemory(FileStore(path)), LOG, LOG.note(3)) == "malformed"
    assert path.read_bytes() == b"\xff\xfe"


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
