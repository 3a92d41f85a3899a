"""First lesson of the network: to place texts as the teacher does, on sentences whose labels it does not see."""

from __future__ import annotations

import pathlib
import re

import numpy as np

from data import Row
from network import Adam, Encoder, Example, batch_of, batches_of
from teacher import Teacher

CHARS = (8, 400)
TOKENS = 64
HELD_BACK = 1_000
SIMILARITY = 20.0


def sentences_of(rows: list[Row]) -> list[str]:
    """Passages of about 200 characters of English texts, each once."""
    found = {}
    for row in rows:
        if row.lang != "en":
            continue
        passage = ""
        for sentence in re.split(r"(?<=[.!?])\s+|\n+", row.text[:6000]):
            if passage and len(passage) + len(sentence) > 200:
                found[passage] = None
                passage = ""
            passage = f"{passage} {sentence.strip()[: CHARS[1]]}".strip()
        found[passage] = None
    return [passage for passage in found if len(passage) >= CHARS[0]]


def embedded(sentences: list[str], teacher: Teacher, cache: pathlib.Path, log) -> np.ndarray:
    """The teacher's embeddings, `[sentences, 384]`; kept in `cache`, since they are most of the work."""
    known = {}
    if cache.exists():
        stored = np.load(cache, allow_pickle=False)
        known = dict(zip(stored["sentences"].tolist(), stored["embeddings"]))
    missing = [sentence for sentence in sentences if sentence not in known]
    teacher.tokenizer.enable_truncation(TOKENS)
    for at in range(0, len(missing), 4096):
        part = missing[at : at + 4096]
        known.update(zip(part, teacher.embed(part).astype(np.float16)))
        log(f"teacher: {min(at + 4096, len(missing))} of {len(missing)} passages")
    if missing:
        cache.parent.mkdir(parents=True, exist_ok=True)
        np.savez(cache, sentences=np.array(list(known)), embeddings=np.stack(list(known.values())))
    return np.stack([known[sentence] for sentence in sentences]).astype(np.float32)


def distil(tokens, targets: np.ndarray, embeddings: np.ndarray, features: int, epochs: int, seed: int, log) -> dict[str, np.ndarray]:
    """Trains an encoder to tell texts apart as `targets` do; returns its parameters. `tokens`: ids and cases per text."""
    random = np.random.default_rng(seed)
    encoder = Encoder(embeddings, features, seed)
    targets = targets - targets.mean(0)
    targets /= np.linalg.norm(targets, axis=1, keepdims=True)
    examples = [Example(ids, cases, np.zeros(1, np.float32), 0.0, float(i), None) for i, (ids, cases) in enumerate(tokens)]
    held_back = set(random.permutation(len(examples))[:HELD_BACK].tolist())
    taught = [example for i, example in enumerate(examples) if i not in held_back and len(example.ids)]
    top = {"out": (random.standard_normal((2 * features, targets.shape[1])) * 0.05).astype(np.float32), "bias": np.zeros(targets.shape[1], np.float32)}
    encoder_adam, top_adam = Adam(), Adam()
    done = 0.0
    for epoch in range(epochs):
        batches = list(batches_of(taught, 12_288, random))
        for chosen in batches:
            batch = batch_of([taught[i] for i in chosen], TOKENS, random)
            wanted = targets[batch.weights.astype(int)]
            pooled = encoder.forward(batch, random.random(len(batch.ids)) >= 0.1)
            first = batch.windows[:-1]
            raw = pooled[first] @ top["out"] + top["bias"]
            length = np.linalg.norm(raw, axis=1, keepdims=True) + 1e-6
            unit = raw / length
            # Each text towards its own place, and as near to the others of the batch as the teacher has it.
            difference = softmax(SIMILARITY * unit @ wanted.T) - softmax(SIMILARITY * wanted @ wanted.T)
            gradient = (-wanted + 0.3 * SIMILARITY * difference @ wanted) / len(wanted)
            gradient = (gradient - unit * (unit * gradient).sum(1, keepdims=True)) / length
            back = np.zeros_like(pooled)
            back[first] = gradient @ top["out"].T
            rate = 2e-3 * min(1.0, (done * len(batches) + 1) / 40) * (0.01 + 0.99 * (0.5 + 0.5 * np.cos(np.pi * done / epochs)))
            top_adam.update(top, {"out": pooled[first].T @ gradient, "bias": gradient.sum(0)}, rate, {}, {}, {})
            gradients = encoder.backward(back, 0.0)
            gradients["cases"][0] = 0
            encoder_adam.update(encoder.parameters, gradients, rate, {"embeddings": encoder.unique}, {"embeddings": 0.5}, {})
            done += 1 / len(batches)
        log(f"distilling, epoch {epoch + 1} of {epochs}: cosine {nearness(encoder, top, [examples[i] for i in sorted(held_back)], targets):.3f} on passages held back")
    return encoder.parameters


def nearness(encoder: Encoder, top: dict, examples: list[Example], targets: np.ndarray) -> float:
    batch = batch_of([example for example in examples if len(example.ids)], TOKENS)
    raw = encoder.forward(batch)[batch.windows[:-1]] @ top["out"] + top["bias"]
    return float((raw / np.linalg.norm(raw, axis=1, keepdims=True) * targets[batch.weights.astype(int)]).sum(1).mean())


def softmax(x: np.ndarray) -> np.ndarray:
    raised = np.exp(x - x.max(1, keepdims=True))
    return raised / raised.sum(1, keepdims=True)
