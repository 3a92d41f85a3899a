"""The form of the model's file, which `packages/engine/src/detectors/pii/model.ts` reads."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np

from crf import Crf

ROWS = 230_000
LEXICON_SLOTS = 1 << 17
MAGIC = b"PIIT"
VERSION = 2
# From which probability on a token is of a type (PERSON, LOCATION, ORGANIZATION, ADDRESS, NRP, TITLE): chosen for F2, see CARD.md.
LIMITS = [0.5, 0.25, 0.2, 0.35, 0.3, 0.2]
# What a word without a capital needs at least, and what one of a script without capitals does.
DOUBTFUL_LIMIT, UNCASED_LIMIT = 0.8, 0.93


def quantise(crf: Crf) -> Crf:
    """The random field with weights as the file holds them: 255 steps, the largest cut. What is not a name always weighs 0."""
    weights = crf.weights - crf.weights[:, :1]
    scale = np.float32(np.quantile(np.abs(weights[weights != 0]), 0.9995) / 127)
    result = Crf(*weights.shape)
    result.scale = scale
    result.steps = np.clip(np.round(weights / scale), -127, 127).astype(np.int8)
    result.weights = result.steps.astype(np.float64) * float(scale)
    result.moves = crf.moves.astype(np.float32).astype(np.float64)
    return result


def write(path: Path, crf: Crf, table: dict[int, int]) -> int:
    """Header, moves, limits, weights, lexicon; all little-endian. Answers the size in bytes."""
    labels = crf.moves.shape[0]
    parts = [
        MAGIC,
        struct.pack("<4I", VERSION, ROWS, LEXICON_SLOTS, labels),
        struct.pack("<f", float(crf.scale)),
        crf.moves.astype("<f4").tobytes(),
        np.array([1.0, *LIMITS], dtype="<f4").tobytes(),
        slots(table).astype("<u4").tobytes(),
        crf.steps[:, 1:].tobytes(),
    ]
    body = b"".join(parts)
    path.write_bytes(body)
    return len(body)


def slots(table: dict[int, int]) -> np.ndarray:
    """Open addressing: slot `hash & (slots - 1)` onwards; the upper 16 bits of an entry are those of the hash, the lower its bits."""
    result = np.zeros(LEXICON_SLOTS, dtype=np.uint32)
    for key in sorted(table):
        at = key & (LEXICON_SLOTS - 1)
        while result[at] != 0:
            at = (at + 1) & (LEXICON_SLOTS - 1)
        result[at] = (key & 0xFFFF0000) | table[key]
    return result
