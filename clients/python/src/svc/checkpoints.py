"""
Remembers the last checkpoint of the trail that was seen, and demands that the next grew out of it.

Needs the package cryptography, which is the extra ``audit`` of svc-client.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hashlib
import json
import os
import re
import tempfile
import threading
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn, Protocol

from ._encoding import base64_bytes
from ._errors import SvcError

if TYPE_CHECKING:
    from ._client import AsyncSvc, Svc
    from ._generated.types import EventProof

__all__ = [
    "CheckedCheckpoint",
    "Checkpoint",
    "CheckpointError",
    "CheckpointMemory",
    "CheckpointRule",
    "CheckpointStore",
    "FileStore",
    "MemoryStore",
    "ProvedEvent",
    "verify_event_proof",
]

CheckpointRule = Literal[
    "unknown_key",
    "signature_mismatch",
    "malformed",
    "rollback",
    "fork",
    "inconsistent",
    "origin_changed",
    "not_included",
    "disclosure_mismatch",
]
"""
What evidence can break: no trusted key has signed, a signature under a trusted key is not of this text, what
came or was remembered is not in its form, the log is shorter than it was, another root for the same size, it
is not proved that the log goes on from what was seen, the log began anew without what was seen or is another
one. Of an event: its proof does not lead to the root, or what is disclosed is not what the log commits to.
"""

_HASH_BYTES = 32
_ED25519 = b"\x01"
_SIGNATURE_BYTES = 64
_NOTE_CHARS_MAX = 1_000_000
_SIGNATURES_MAX = 100
_SIZE_MAX = 2**53 - 1


class CheckpointError(SvcError):
    """
    What the service shows does not fit what it showed before, or what it signed. ``rule`` is stable, for
    programs. Keep both: they are evidence.
    """

    def __init__(self, rule: CheckpointRule, message: str) -> None:
        super().__init__(message)
        self.rule: CheckpointRule = rule

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.rule, str(self))


class CheckpointStore(Protocol):
    """Where a checkpoint memory keeps one text."""

    def load(self) -> str | None:
        """``None``: nothing was saved yet."""

    def save(self, text: str) -> None:
        """Replaces what was saved."""


class MemoryStore:
    """For as long as the process runs."""

    def __init__(self, text: str | None = None) -> None:
        self._text = text

    def load(self) -> str | None:
        return self._text

    def save(self, text: str) -> None:
        self._text = text


class FileStore:
    """
    Keeps a checkpoint memory in a file of its owner alone (mode 0600), replaced as a whole: a crash leaves
    the old text or the new one. Clients in other languages can share it.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)

    def load(self) -> str | None:
        try:
            return self._path.read_bytes().decode("utf-8")
        except FileNotFoundError:
            return None
        except UnicodeDecodeError:
            _refuse("malformed", "What the store holds is not what a checkpoint memory has written.")

    def save(self, text: str) -> None:
        # Beside it: a file is moved in one piece only within its file system. It is made with mode 0600.
        handle, name = tempfile.mkstemp(dir=self._path.parent, prefix=f"{self._path.name}.", suffix=".tmp")
        try:
            with open(handle, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, self._path)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(name)
            raise


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """State of a log, checked."""

    origin: str
    """Which log: ``<deployment>/org/<org_id>``."""
    size: int
    """Leaves, which are events."""
    root: str
    """Of the tree, in base64."""
    note: str
    """As it was signed."""


@dataclass(frozen=True, slots=True)
class CheckedCheckpoint(Checkpoint):
    """What a check came to."""

    is_first: bool
    """Nothing was remembered, so there was nothing to compare it with."""


@dataclass(frozen=True, slots=True)
class _Ask:
    """What a check needs of the service next."""

    what: Literal["keys", "checkpoint", "consistency"]
    sizes: tuple[int, int] = (0, 0)


_Steps = Generator[_Ask, Any, CheckedCheckpoint]


class CheckpointMemory:
    """
    A service that lies can show you one history and somebody else another. It cannot show you one that goes
    on from what you hold: so check now and then, with the same store.

    Args:
        store: Where to remember.
        keys: Lines of ``GET /v1/audit/keys`` that you got by a way that you trust; blank ones do not count.
            Without them (``None``) those that sign when the service is first checked are trusted from then
            on, which does not protect from one that lied that first time.

    Raises:
        SvcError: For a key that is none, or keys of which there are none.
    """

    def __init__(self, store: CheckpointStore, keys: Sequence[str] | None = None) -> None:
        self._store = store
        self._keys = None if keys is None else _pinned(keys)
        self._lock = threading.Lock()
        self._async_lock = asyncio.Lock()

    def check(self, client: Svc) -> CheckedCheckpoint:
        """
        Reads the latest checkpoint, holds it against the one that is remembered, and remembers it.

        Raises:
            CheckpointError: Its ``rule`` says what is wrong. What is remembered stays as it is, as it does
                when a request fails.
        """
        from ._client import AsyncSvc

        if isinstance(client, AsyncSvc):
            raise SvcError("check is for an Svc. With an AsyncSvc: await memory.check_async(client).")
        with self._lock:
            steps = self._steps()
            answer: Any = None
            while True:
                try:
                    ask = steps.send(answer)
                except StopIteration as end:
                    checked: CheckedCheckpoint = end.value
                    return checked
                if ask.what == "keys":
                    answer = client.audit.list_keys()
                elif ask.what == "checkpoint":
                    answer = client.audit.get_checkpoint()
                else:
                    answer = client.audit.prove_consistency(from_=ask.sizes[0], to=ask.sizes[1])

    async def check_async(self, client: AsyncSvc) -> CheckedCheckpoint:
        """As ``check``, with an ``AsyncSvc``. One check follows the other."""
        from ._client import Svc

        if isinstance(client, Svc):
            raise SvcError("check_async is for an AsyncSvc. With an Svc: memory.check(client).")
        async with self._async_lock:
            steps = self._steps()
            answer: Any = None
            while True:
                try:
                    ask = steps.send(answer)
                except StopIteration as end:
                    checked: CheckedCheckpoint = end.value
                    return checked
                if ask.what == "keys":
                    answer = await client.audit.list_keys()
                elif ask.what == "checkpoint":
                    answer = await client.audit.get_checkpoint()
                else:
                    answer = await client.audit.prove_consistency(from_=ask.sizes[0], to=ask.sizes[1])

    def _steps(self) -> _Steps:
        text = self._store.load()
        remembered = None if text is None else _remembered(text)
        keys = self._keys or (None if remembered is None else remembered[0])
        if keys is None:
            # One that signs no more need not be believed from now on.
            listed = (yield _Ask("keys")).keys
            keys = [key.verifier_key for key in listed if key.status != "retired"]
        checkpoint = _open_checkpoint((yield _Ask("checkpoint")), keys)
        if remembered is not None:
            yield from _require_growth(_parse_checkpoint(remembered[1]), checkpoint)
        self._remember(checkpoint, keys, text)
        return CheckedCheckpoint(
            origin=checkpoint.origin,
            size=checkpoint.size,
            root=checkpoint.root,
            note=checkpoint.note,
            is_first=remembered is None,
        )

    def _remember(self, checkpoint: Checkpoint, keys: Sequence[str], before: str | None) -> None:
        """Another process may have remembered more meanwhile: it never goes backwards."""
        text = self._store.load()
        if text is not None and text != before:
            now = _parse_checkpoint(_remembered(text)[1])
            if _log(now.origin) != _log(checkpoint.origin):
                _refuse("origin_changed", f"Meanwhile {now.origin} was remembered, which is another log.")
            if now.size == checkpoint.size and now.root != checkpoint.root:
                _refuse("fork", f"The log has two histories of {now.size} events, and both are signed.")
            if now.size > checkpoint.size:
                return
        state = {"keys": keys, "note": checkpoint.note}
        self._store.save(json.dumps(state, ensure_ascii=False, separators=(",", ":")))


def _pinned(keys: Sequence[str]) -> list[str]:
    """Without what is around them. Raises ``SvcError`` for what is no key."""
    if isinstance(keys, str):
        raise SvcError("keys must be a list of verifier keys, not one text.")
    pinned = []
    for key in keys:
        line = key.strip() if isinstance(key, str) else key
        if line == "":
            continue
        parts = _split_key(line) if isinstance(line, str) else None
        if parts is None:
            raise SvcError(f"Not a verifier key: {line!r}. It is <name>+<8 hex digits>+<base64>.")
        if _key_id(parts[0], parts[2]) != parts[1]:
            raise SvcError(
                f"The id of the verifier key {line!r} is not of its name and bytes: was it cut or changed?"
            )
        pinned.append(line)
    if not pinned:
        # To trust whatever comes first is to be asked for by giving none at all.
        raise SvcError("keys are given, but there is none among them. Leave them out to trust at first use.")
    return pinned


@dataclass(frozen=True, slots=True)
class ProvedEvent:
    """What a proof shows, once it is checked."""

    checkpoint: Checkpoint
    """Of the log: the event is its leaf ``sequence`` - 1."""
    event_id: str
    sequence: int
    envelope: dict[str, Any]
    """What the log holds of the event. What it commits to without telling is in ``disclosed``."""
    disclosed: dict[str, Any]
    """By name: ``subject``, ``data``, … Only what the proof brought along."""


def verify_event_proof(proof: EventProof, keys: Sequence[str]) -> ProvedEvent:
    """
    Checks what ``client.audit.prove_event`` answers, as ``svc-verify`` does: the envelope is the leaf, the
    leaf is in the tree, the tree is signed by one of ``keys``, and what is disclosed is what the leaf commits
    to. It does not show that others see the same log: that is what a ``CheckpointMemory`` is for.

    Raises:
        CheckpointError: Its ``rule`` says what is wrong.
    """
    checkpoint = _open_checkpoint(proof.checkpoint, keys)
    leaf = hashlib.sha256(b"\x00" + proof.envelope.encode()).digest()
    hashes = _hashes(proof.hashes)
    is_included = (
        hashes is not None
        and proof.tree_size == checkpoint.size
        and proof.root == checkpoint.root
        and proof.leaf_hash == base64.b64encode(leaf).decode()
        and _is_included(leaf, proof.leaf_index, checkpoint.size, hashes, base64.b64decode(checkpoint.root))
    )
    if not is_included:
        _refuse("not_included", "The proof does not lead from the envelope to the root that was signed.")
    envelope = _json(proof.envelope)
    sequence = proof.leaf_index + 1
    if (
        not isinstance(envelope, dict)
        or envelope.get("id") != proof.event_id
        or envelope.get("sequence") != sequence
        or proof.sequence != sequence
    ):
        _refuse("malformed", "The envelope is of another event than it is said to be.")
    disclosed = _disclosed(proof.disclosures, envelope.get("private"))
    return ProvedEvent(checkpoint, proof.event_id, sequence, envelope, disclosed)


def _refuse(rule: CheckpointRule, message: str) -> NoReturn:
    raise CheckpointError(rule, message)


def _remembered(text: str) -> tuple[list[str], str]:
    """Keys and note."""
    value = _json(text)
    keys = value.get("keys") if isinstance(value, dict) else None
    note = value.get("note") if isinstance(value, dict) else None
    is_keys = isinstance(keys, list) and all(isinstance(key, str) and _split_key(key) for key in keys)
    if not keys or not is_keys or not isinstance(note, str):
        # To take it for nothing would be to forget what was seen.
        _refuse("malformed", "What the store holds is not what a checkpoint memory has written.")
    return keys, note


def _require_growth(before: Checkpoint, now: Checkpoint) -> Generator[_Ask, Any, None]:
    """Raises unless the log of ``now`` goes on from ``before``."""

    def refuse(rule: CheckpointRule, message: str) -> NoReturn:
        if before.origin == now.origin:
            _refuse(rule, message)
        # After a restore a log has a new name; whether it still holds what was seen is all that counts.
        _refuse(
            "origin_changed",
            f"The log was {before.origin} and is {now.origin}, which does not hold what was seen: {message}",
        )

    if _log(before.origin) != _log(now.origin):
        refuse("origin_changed", "It is another log.")
    if now.size < before.size:
        refuse("rollback", f"The log had {before.size} events and has {now.size}.")
    if now.size == before.size:
        if now.root != before.root:
            refuse("fork", f"The log has two histories of {now.size} events, and both are signed.")
        return
    answer = yield _Ask("consistency", (before.size, now.size))
    proof = _hashes(answer.hashes)
    old_root, new_root = base64.b64decode(before.root), base64.b64decode(now.root)
    if proof is None or not _is_consistent(before.size, old_root, now.size, new_root, proof):
        refuse(
            "inconsistent",
            f"It is not proved that its {now.size} events begin with the {before.size} that were seen.",
        )


def _log(origin: str) -> str:
    """``<log>/<epoch>-<8 hex digits>`` is the log, begun anew."""
    return re.sub(r"/(?:[2-9]|[1-9][0-9]{1,8})-[0-9a-f]{8}\Z", "", origin)


# Signed notes (c2sp.org/signed-note) and checkpoints (c2sp.org/tlog-checkpoint).


def _open_checkpoint(note: str, keys: Sequence[str]) -> Checkpoint:
    """The checkpoint of a note that a key of its log has signed. A key counts for all origins of its log."""
    checkpoint = _parse_checkpoint(note)
    origin = checkpoint.origin
    text, signatures = _split_note(note) or _refuse("malformed", "It is not a signed note.")
    known = _keys_for(origin, keys)
    is_signed = False
    for name, key_id, signature in signatures:
        public_key = known.get(key_id) if name == origin else None
        if public_key is None:
            continue
        if not _is_signed_by(public_key, text.encode(), signature):
            _refuse(
                "signature_mismatch", f"The signature of {origin} by key {key_id} is not of this checkpoint."
            )
        is_signed = True
    if not is_signed:
        _refuse(
            "unknown_key",
            f"No key that is trusted has signed the checkpoint of {origin}. Was the key exchanged?",
        )
    return checkpoint


def _keys_for(origin: str, keys: Sequence[str]) -> dict[str, bytes]:
    """Public keys by the id that they sign under as this origin."""
    found = {}
    for key in keys:
        parts = _split_key(key)
        if parts is None:
            _refuse("malformed", f"Not a verifier key: {key!r}.")
        name, key_id, public_key = parts
        if _key_id(name, public_key) != key_id:
            _refuse(
                "malformed",
                f"The id of the verifier key {key!r} is not of its name and bytes: was it cut or changed?",
            )
        if _log(name) == _log(origin):
            found[_key_id(origin, public_key)] = public_key
    return found


def _split_key(key: str) -> tuple[str, str, bytes] | None:
    """Name, id and public key; ``None`` for what is not the verifier key of an Ed25519 key."""
    match = re.fullmatch(r"([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})", key)
    data = None if match is None else base64_bytes(match[3])
    if match is None or data is None or len(data) != _HASH_BYTES + 1 or data[:1] != _ED25519:
        return None
    return match[1], match[2], data[1:]


def _key_id(name: str, public_key: bytes) -> str:
    return hashlib.sha256(name.encode() + b"\n" + _ED25519 + public_key).hexdigest()[:8]


def _is_signed_by(public_key: bytes, text: bytes, signature: bytes) -> bool:
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError as error:
        raise SvcError("Checkpoints need the package cryptography: pip install svc-client[audit]") from error
    if len(signature) != _SIGNATURE_BYTES:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, text)
    except (InvalidSignature, ValueError):
        return False
    return True


_Signature = tuple[str, str, bytes]


def _split_note(note: str) -> tuple[str, list[_Signature]] | None:
    """The text, and name, key id and bytes of each signature. Nothing of it is checked yet but its form."""
    end = note.rfind("\n\n")
    if len(note) > _NOTE_CHARS_MAX or end < 0 or not note.endswith("\n"):
        return None
    text = note[: end + 1]
    lines = note[end + 2 : -1].split("\n")
    if re.search(r"[\x00-\x09\x0b-\x1f\ud800-\udfff]", text) or len(lines) > _SIGNATURES_MAX:
        return None
    signatures = [_signature(line) for line in lines]
    known = [signature for signature in signatures if signature is not None]
    return (text, known) if len(known) == len(lines) else None


def _signature(line: str) -> _Signature | None:
    match = re.fullmatch(r"— ([^\s+]+) (\S+)", line)
    data = None if match is None else base64_bytes(match[2])
    if match is None or data is None or len(data) <= 4:
        return None
    return match[1], data[:4].hex(), data[4:]


def _parse_checkpoint(note: str) -> Checkpoint:
    """Raises for a note that is not of a checkpoint. Does not look at who signed."""
    parts = _split_note(note) if isinstance(note, str) else None
    lines = [] if parts is None else parts[0].split("\n")
    # An extension line may hold anything but nothing.
    is_whole = len(lines) >= 4 and lines[0] != "" and lines[-1] == "" and "" not in lines[3:-1]
    if (
        not is_whole
        or re.fullmatch(r"0|[1-9][0-9]{0,15}", lines[1]) is None
        or int(lines[1]) > _SIZE_MAX
        or _hashes([lines[2]]) is None
    ):
        _refuse(
            "malformed",
            "It is not a checkpoint: origin, size and root, an empty line, and signatures.",
        )
    return Checkpoint(lines[0], int(lines[1]), lines[2], note)


# Proofs (RFC 9162 §2.1).


def _hashes(hashes: object) -> list[bytes] | None:
    """``None`` unless all are hashes in base64."""
    if not isinstance(hashes, list):
        return None
    data = [base64_bytes(one) if isinstance(one, str) else None for one in hashes]
    known = [one for one in data if one is not None and len(one) == _HASH_BYTES]
    return known if len(known) == len(data) else None


def _is_included(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """§2.1.3.2: ``leaf``, a hash, is the ``index``-th of the tree of ``size`` with this root."""
    if not 0 <= index < size:
        return False
    node, last, value = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            return False
        if node & 1 or node == last:
            value = _node(sibling, value)
            while not node & 1 and node != 0:
                node, last = node >> 1, last >> 1
        else:
            value = _node(value, sibling)
        node, last = node >> 1, last >> 1
    return last == 0 and value == root


def _is_consistent(
    old_size: int, old_root: bytes, new_size: int, new_root: bytes, proof: Sequence[bytes]
) -> bool:
    """§2.1.4.2: the tree of ``new_size``, which is larger, has that of ``old_size`` as its beginning."""
    if old_size == 0:
        return not proof and old_root == hashlib.sha256().digest()
    path = [old_root, *proof] if old_size & (old_size - 1) == 0 else list(proof)
    if not path:
        return False
    node, last = old_size - 1, new_size - 1
    while node & 1:
        node, last = node >> 1, last >> 1
    old = new = path[0]
    for sibling in path[1:]:
        if last == 0:
            return False
        if node & 1 or node == last:
            old, new = _node(sibling, old), _node(sibling, new)
            while not node & 1 and node != 0:
                node, last = node >> 1, last >> 1
        else:
            new = _node(new, sibling)
        node, last = node >> 1, last >> 1
    return last == 0 and old == old_root and new == new_root


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


# What an event's leaf commits to.


def _disclosed(disclosures: Sequence[str], digests: object) -> dict[str, Any]:
    """
    Values by name. A disclosure is ``["salt","name",value]``, and its SHA-256 is among the digests, once.
    """
    left = {one for one in digests if isinstance(one, str)} if isinstance(digests, list) else set()
    disclosed: dict[str, Any] = {}
    for text in disclosures:
        parts = _json(text)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        name = parts[1] if isinstance(parts, list) and len(parts) == 3 else None
        if not isinstance(name, str) or name in disclosed or digest not in left:
            _refuse("disclosure_mismatch", "What is disclosed is not what the log commits to.")
        left.remove(digest)
        disclosed[name] = parts[2]
    return disclosed


def _json(text: str) -> Any:
    """``None`` for what is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
