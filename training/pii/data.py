"""Texts to learn from: sources with labels, filled templates, and ordinary traffic that hardly names anybody."""

from __future__ import annotations

import gzip
import json
import random
import re
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path

from pools import Filler
from tokens import units

LABELS = ["O", "PERSON", "LOCATION", "ORGANIZATION", "ADDRESS", "NRP", "TITLE"]
SLOT_LABELS = {"p": 1, "f": 1, "l": 1, "r": 1, "i": 1, "h": 1, "c": 2, "k": 2, "s": 2, "w": 2, "o": 3, "a": 4, "am": 4, "st": 4, "n": 5, "j": 6}
SOURCES = ["btc", "wikigold", "presidio_generated", "composed_pii"]
# Of a source, the types nobody has looked for: what it leaves unlabelled may be one of them.
UNLABELLED = {
    "btc": (4, 5, 6),
    "wikigold": (4, 5, 6),
    "presidio_generated": (5,),
    "composed_pii": (2, 3, 5, 6),
    "template": (),
    "clean": (),
    "traffic": (),
}
FILLS = {"en": 22, "other": 28, "nobody": 5}


@dataclass
class Row:
    """`spans`: (start, end, label) in UTF-16 units of `text`, which holds one unit a character."""

    text: str
    source: str
    spans: list[tuple[int, int, int]] = field(default_factory=list)
    lang: str = "en"
    is_filled: bool = False


def read_rows(folder: Path, task: str, split: str) -> list[dict]:
    with gzip.open(folder / task / f"{split}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def labelled_rows(folder: Path, split: str) -> list[Row]:
    """The public sources. A handle such as `@ada` is a user name, not a name in running text: its spans are left out."""
    rows = []
    for raw in read_rows(folder, "pii", split):
        text = raw["text"]
        spans = []
        for span in raw.get("spans", []):
            if span["type"] not in LABELS or text[span["start"]] == "@" or text[span["start"] - 1 : span["start"]] == "@":
                continue
            start, end = (len(units(text[: span[side]])) for side in ("start", "end"))
            spans.append((start, end, LABELS.index(span["type"])))
        rows.append(Row(units(text), raw["source"], spans, raw.get("lang") or "en"))
    return rows


def read_templates(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def filled_rows(templates: list[dict], filler: Filler, rnd: random.Random) -> list[Row]:
    rows = []
    for template in templates:
        slots = re.findall(r"\{(\w+)\}", template["text"])
        names = any(slot in SLOT_LABELS for slot in slots)
        times = 1 if not slots else FILLS["nobody"] if not names else FILLS["en" if template["lang"] == "en" else "other"]
        for _ in range(times):
            rows.append(fill(template, filler, rnd))
    return rows


def fill(template: dict, filler: Filler, rnd: random.Random) -> Row:
    text, spans = "", []
    for i, piece in enumerate(re.split(r"\{([a-z]+)\}", template["text"])):
        if i % 2 == 0:
            text += piece
            continue
        value = unicodedata.normalize("NFKC", filler.value(piece, template["lang"]))
        label = SLOT_LABELS.get(piece)
        start = len(units(text))
        text += value
        if label is not None and not (label == 1 and spans and spans[-1][2] == 1 and text[spans[-1][1] : start] == " " and merge(spans, start, value)):
            spans.append((start, start + len(units(value)), label))
    text, spans = with_case(text, spans, template, rnd)
    source = "template" if spans else "clean"
    return Row(units(text), source, spans, template["lang"])


def merge(spans: list, start: int, value: str) -> bool:
    """`Mr.` and `Okafor`, `Ada` and `Okafor`: one name."""
    spans[-1] = (spans[-1][0], start + len(units(value)), 1)
    return True


def with_case(text: str, spans: list, template: dict, rnd: random.Random) -> tuple[str, list]:
    roll = rnd.random()
    domain = template["domain"]
    if domain == "upper" or (roll > 0.965 and domain != "lower"):
        changed = text.upper()
    elif (domain == "lower" and roll < 0.75) or (domain in ("chat", "social", "misc", "questions") and roll < 0.14) or roll < 0.05:
        changed = text.lower()
    else:
        return text, spans
    return (changed, spans) if len(units(changed)) == len(units(text)) else (text, spans)


def renamed_rows(rows: list[Row], filler: Filler, times: int) -> list[Row]:
    """Sentences of the sources about other people, places and organizations: their contexts without their names."""
    result = []
    for row in rows:
        if not any(label in RENAMED_SLOTS for *_, label in row.spans):
            continue
        for _ in range(times):
            text, spans, at = "", [], 0
            for start, end, label in sorted(row.spans):
                if start < at:
                    continue
                old = row.text[start:end]
                new = units(unicodedata.normalize("NFKC", filler.value(slot_for(old, label, filler.random), "en"))) if label in RENAMED_SLOTS else old
                text += row.text[at:start]
                spans.append((len(text), len(text) + len(new), label))
                text, at = text + new, end
            result.append(Row(text + row.text[at:], row.source, spans, row.lang, True))
    return result


RENAMED_SLOTS = (1, 2, 3)


def slot_for(old: str, label: int, rnd: random.Random) -> str:
    """A full name for a full name, a surname or a given name for a single word."""
    if label == 1:
        return "p" if " " in old else rnd.choice(["l", "l", "f"])
    return "o" if label == 3 else rnd.choice(["c", "c", "c", "k", "s", "w"])


def traffic_rows(folder: Path, limit: int) -> list[Row]:
    """The beginnings, of `limit` characters, of ordinary traffic."""
    rows = []
    for raw in read_rows(folder, "benign_traffic", "train"):
        piece = raw["text"][:limit]
        rows.append(Row(units(piece), "traffic", [], raw.get("lang") or "en"))
    return rows
