"""Trains the text model: python training/text/train.py --datasets FOLDER [--folds]. See training/README.md."""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # Its threads and numba's would wait for each other.

import argparse
import copy
import json
import pathlib
import random as stdlib_random
import subprocess
import time

import numpy as np

import data
from distil import distil, embedded, sentences_of
from kinds import KINDS, kinds_of
from network import Example, Network, Task, batch_of
from teacher import Teacher
from vocabulary import build, hash_of

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
CACHE = HERE / ".cache"
MODEL = ROOT / "packages/engine/models/text"

DIMENSIONS, FEATURES, HIDDEN = 64, 64, 20
SPECIAL_TOKENS = 6
SEED = 7
EPOCHS = 7
RATE = 3e-3
HEADS = {"injection": list(data.OUTPUTS[:3]), "harm": list(data.OUTPUTS[3:])}
TASKS = {"injection": Task(slice(0, 3), placed=slice(0, 2)), "harm": Task(slice(3, 11), group=slice(0, 8))}
# Of sources whose rows say the same thing many times, a share is enough.
SHARES = {"davidson_hate_offensive": 0.3, "toxic_spans": 0.3, "identity_madlibs": 0.3, "composed_direct": 0.6, "composed_indirect": 0.7}
# What a score means: the share of ordinary texts that reach it.
SCORES = ((0.1, 0.05), (0.25, 0.01), (0.5, 0.003), (0.9, 0.0003))

# The harms share what one detector may cost: half for crimes, of which there are most kinds, a twelfth for each of the others.
BUDGETS = {harm: 0.5 if harm == "illicit" else 1 / 12 for harm in data.HARMS if harm != "profanity"}
# However rare a subject is in ordinary traffic, the network itself must find it likely.
LOGITS_LEAST = {0.1: -3.0, 0.25: -2.0, 0.5: -1.0, 0.9: 1.0}

started = time.time()


def log(message: str) -> None:
    print(f"{time.time() - started:6.0f} s  {message}", flush=True)


def rows_of(folder: pathlib.Path) -> list[data.Row]:
    """All rows to learn from, with what is made of them."""
    random = stdlib_random.Random(SEED)
    rows = data.injection_rows(folder, "train") + data.harm_rows(folder, "train") + data.traffic_rows(folder, "train")
    rows += data.other_rows(folder, SEED) + data.authored_rows()
    kept = []
    for row in rows:
        share = SHARES.get(row.source, 1.0)
        if random.random() < share:
            row.weight /= share
            kept.append(row)
    return kept + data.made_rows(kept, SEED)


def tokenised(texts: list[str], vocabulary: pathlib.Path) -> list[tuple[np.ndarray, ...]]:
    """Ids, cases, starts and ends (UTF-16 units) of the tokens of each text, by the engine's own tokeniser."""
    lines, out = CACHE / "texts.jsonl", CACHE / "tokens.bin"
    lines.write_text("".join(json.dumps(text) + "\n" for text in texts), encoding="utf-8")
    subprocess.run([str(ROOT / "node_modules/.bin/node"), str(HERE / "tokenise.ts"), str(vocabulary), str(lines), str(out)], check=True)
    words = np.fromfile(out, np.uint32)
    result, at = [], 0
    while at < len(words):
        count = int(words[at])
        packed, starts, ends = (words[at + 1 + i * count : at + 1 + (i + 1) * count] for i in range(3))
        result.append(((packed & 0xFFFF).astype(np.int32), (packed >> 16).astype(np.int8), starts, ends))
        at += 1 + 3 * count
    assert len(result) == len(texts)
    return result


def examples_of(rows: list[data.Row], vocabulary: pathlib.Path) -> tuple[list[data.Row], list[Example]]:
    """Rows that hold a token, and the same in numbers."""
    kept, examples = [], []
    for row, (ids, cases, starts, ends) in zip(rows, tokenised([row.text for row in rows], vocabulary)):
        if len(ids) == 0:
            continue
        planted = None
        if row.planted is not None:
            first, last = (len(row.text[:at].encode("utf-16-le")) // 2 for at in row.planted)
            inside = np.flatnonzero((ends > first) & (starts < last))
            planted = (int(inside[0]), int(inside[-1]) + 1) if len(inside) else None
        labels = np.array([row.labels.get(output, np.nan) for output in data.OUTPUTS], np.float32)
        kept.append(row)
        examples.append(Example(ids, cases, labels, row.is_harmful or 0.0, row.weight, planted))
    return kept, examples


def fitted(examples: list[Example], encoder: dict[str, np.ndarray], quietly: bool) -> Network:
    network = Network(encoder["embeddings"], TASKS, FEATURES, HIDDEN, SEED)
    network.encoder.parameters.update({name: encoder[name].copy() for name in ("cases", "convolution", "bias")})
    network.fit(examples, EPOCHS, RATE, SEED, pull=0.0, slow=1.0, log=None if quietly else log)
    return network


def calibration_of(logits: np.ndarray, rows: list[data.Row]) -> dict:
    """Per output the logits that ordinary texts reach as often as `SCORES` says. Beyond what can be counted, the tail is drawn on."""
    result = {}
    for index, output in enumerate(data.OUTPUTS):
        # A prompt is an instruction, and would be out of place in a document: documents are ordinary for documents.
        of_it = [i for i, row in enumerate(rows) if not np.isnan(logits[i, index]) and (output != "planted" or "planted" in row.labels)]
        ordered = np.sort(logits[of_it, index])[::-1]
        count = len(ordered)
        # Of the highest values of anything smooth, the logarithm of the rank falls about linearly.
        ranks = np.arange(10, max(20, count // 50))
        slope, base = np.polyfit(ordered[ranks], np.log((ranks + 0.5) / count), 1)
        points = []
        for score, share in SCORES:
            own = share * BUDGETS.get(output, 1.0)
            rank = int(own * count)
            logit = float(ordered[rank]) if rank >= 30 else float((np.log(own) - base) / slope)
            points.append((max(logit, LOGITS_LEAST[score]), score))
        lowest, highest = points[0][0], points[-1][0]
        spread = max(highest - lowest, 1.0)
        points = [(lowest - 3 * spread, 0.0), *points, (highest + spread, 0.99)]
        for i in range(1, len(points)):
            points[i] = (max(points[i][0], points[i - 1][0] + 1e-3), points[i][1])
        result[output] = {"logits": [round(x, 4) for x, _ in points], "scores": [y for _, y in points]}
    return result


def quantised(embeddings: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    scales = np.maximum(np.abs(embeddings).max(0) / 127, 1e-8).astype(np.float32)
    return np.clip(np.round(embeddings / scales), -127, 127).astype(np.int8), scales


def export(network: Network, entries: list[str], kinds: np.ndarray, calibration: dict, folder: pathlib.Path) -> None:
    p = network.encoder.parameters
    whole, scales = quantised(p["embeddings"])
    p["embeddings"] = whole * scales  # What the engine will read.
    parts = [np.array([hash_of(entry) for entry in entries], np.uint32), scales, whole, kinds, p["convolution"], p["bias"], p["cases"]]
    for name in HEADS:
        head = network.heads[name].parameters
        parts += [head["hidden"], head["hidden_bias"], head["out"], head["out_bias"]]
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "weights.bin", "wb") as out:
        for part in parts:
            packed = np.ascontiguousarray(part if part.dtype in (np.uint32, np.int8, np.uint8) else part.astype(np.float32)).tobytes()
            out.write(packed + b"\0" * (-len(packed) % 4))
    description = {
        "entries": len(entries),
        "dimensions": DIMENSIONS,
        "features": FEATURES,
        "hidden": HIDDEN,
        "heads": HEADS,
        "calibration": calibration,
        "kinds": list(KINDS),
    }
    (folder / "model.json").write_text(json.dumps(description, indent=2) + "\n")


def write_parity(network: Network, rows: list[data.Row], examples: list[Example], folder: pathlib.Path) -> None:
    """Texts with the logits that the engine must come to, of many sources and languages."""
    random = stdlib_random.Random(SEED)
    chosen = random.sample([i for i, row in enumerate(rows) if len(row.text) < 1500 and row.task != "harm"], 150)
    vectors = []
    for i in chosen:
        logits = network.logits(batch_of([examples[i]], 6_000))
        vectors.append({"text": rows[i].text, "tokens": len(examples[i].ids), "logits": [[round(float(x), 3) for x in row] for row in logits]})
    (folder / "parity.json").write_text(json.dumps(vectors, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--datasets", type=pathlib.Path, required=True, help="the folder of the labelled texts")
    parser.add_argument("--folds", action="store_true", help="also train without each source in turn, for leave-one-source-out figures")
    options = parser.parse_args()
    CACHE.mkdir(exist_ok=True)

    rows = rows_of(options.datasets)
    log(f"{len(rows)} rows")
    teacher = Teacher()
    teacher_entries = sorted(teacher.vocabulary(), key=teacher.vocabulary().get)
    entries = build(teacher_entries, [row.text for row in rows if row.lang != "en"])
    vocabulary = CACHE / "vocabulary.bin"
    np.array([hash_of(entry) for entry in entries], np.uint32).tofile(vocabulary)
    own = teacher.vocabulary()
    known = np.array([entry in own for entry in entries])
    pieces = np.zeros((len(entries), 384), np.float32)
    pieces[known] = teacher.embed_pieces([[own["[CLS]"], own[entry], own["[SEP]"]] for entry in entries if entry in own], 256)
    log(f"{len(entries)} words and pieces, {int(known.sum())} of them the teacher's")

    sentences = sentences_of([row for row in rows if row.source not in MADE])
    targets = embedded(sentences, teacher, CACHE / "teacher.npz", log)
    tokens = [(ids, cases) for ids, cases, _, _ in tokenised(sentences, vocabulary)]
    encoder = distil(tokens, targets, starting_embeddings(pieces, known), FEATURES, 3, SEED, log)

    rows, examples = examples_of(rows, vocabulary)
    traffic = [i for i, row in enumerate(rows) if row.task == "benign_traffic"]
    ordinary = np.full((len(rows), len(data.OUTPUTS)), np.nan, np.float32)
    kinds = np.concatenate([np.full(SPECIAL_TOKENS, 255, np.uint8), kinds_of(entries, pieces, known)])
    sources = sorted({row.source for row in rows if row.task in ("prompt_injection", "harm") and row.source not in OWN_SOURCES | MADE})
    folds = folds_of(sources) if options.folds else [[] for _ in range(5)]
    for number, left_out in enumerate(folds):
        held = {i for i in traffic if rows[i].index % len(folds) == number}
        network = fitted([e for i, e in enumerate(examples) if i not in held and rows[i].source not in left_out], encoder, quietly=True)
        ordinary[sorted(held)] = network.score([examples[i] for i in sorted(held)])
        log(f"fold {number + 1} of {len(folds)}, without {', '.join(left_out) or 'a part of ordinary traffic'}")
        if left_out:
            export(network, entries, kinds, calibration_of(ordinary, rows), CACHE / "folds" / fold_name(number, left_out))
    # No network saw the other split.
    unseen_rows, unseen = examples_of(data.traffic_rows(options.datasets, "dev"), vocabulary)
    calibration = calibration_of(np.concatenate([ordinary, network.score(unseen)]), rows + unseen_rows)
    if options.folds:
        for number, left_out in enumerate(folds):  # All with the calibration of all of ordinary traffic, each text scored by a network that never saw it.
            description = CACHE / "folds" / fold_name(number, left_out) / "model.json"
            description.write_text(json.dumps(json.loads(description.read_text()) | {"calibration": calibration}, indent=2) + "\n")
    network = fitted(examples, encoder, quietly=False)
    export(network, entries, kinds, calibration, MODEL)
    write_parity(network, rows, examples, MODEL)
    log(f"written to {MODEL.relative_to(ROOT)}: {(MODEL / 'weights.bin').stat().st_size / 1e6:.1f} MB")


MADE = {"planted", "attack_and_prompt", "harmless_and_prompt", "snippet"}
OWN_SOURCES = {path.stem for path in data.AUTHORED.glob("*.jsonl")}


def fold_name(number: int, left_out: list[str]) -> str:
    """Told apart and ordered by number: it also says which part of ordinary traffic was left out."""
    return f"{number:02d}-{'+'.join(left_out)}"


def folds_of(sources: list[str]) -> list[list[str]]:
    """Each source once; one of each task at a time, so that a fold serves both."""
    injection = [s for s in sources if s in data.INJECTION_SOURCES]
    harm = [s for s in sources if s not in data.INJECTION_SOURCES]
    return [[*injection[i : i + 1], *harm[i : i + 1]] for i in range(max(len(injection), len(harm)))]


def starting_embeddings(pieces: np.ndarray, known: np.ndarray) -> np.ndarray:
    """The teacher's, brought to fewer dimensions; small random ones for what it does not know."""
    random = np.random.default_rng(SEED)
    centred = pieces[known] - pieces[known].mean(0)
    axes = np.linalg.svd(centred.T @ centred)[0][:, :DIMENSIONS]
    reduced = centred @ axes
    embeddings = np.zeros((SPECIAL_TOKENS + len(pieces), DIMENSIONS), np.float32)
    embeddings[1:SPECIAL_TOKENS] = random.standard_normal((SPECIAL_TOKENS - 1, DIMENSIONS)) * 0.5
    embeddings[SPECIAL_TOKENS:] = random.standard_normal((len(pieces), DIMENSIONS)) * 0.3
    embeddings[SPECIAL_TOKENS:][known] = reduced / reduced.std()
    return embeddings


if __name__ == "__main__":
    main()
