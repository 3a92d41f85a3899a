"""The text model: a convolution over word embeddings, pooled over overlapping windows, and a small head per task.

The first layer of a convolution over embeddings is a sum of one vector per word and place. So both this and the engine's reader
(packages/engine/src/language/) look vectors up and add them, which makes training on two cores a matter of minutes. A test of the
engine compares both on the vectors that training writes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit, prange

BLOCK, WINDOW_BLOCKS = 32, 2
WINDOW = BLOCK * WINDOW_BLOCKS
WIDTH = 3
CASES = 3
SHARPNESS = 2.0  # Of the soft maximum over windows.
LONGEST_TRAINED = 256  # Tokens; longer texts are cut, at another place in each epoch.
LONGEST_SCORED = 6_000


@dataclass
class Example:
    """A row in numbers. `labels` is NaN where a label is not known; `planted` in tokens."""

    ids: np.ndarray
    cases: np.ndarray
    labels: np.ndarray
    any_of: float  # 1: at least one of the network's `group` of outputs holds.
    weight: float
    planted: tuple[int, int] | None


@dataclass
class Batch:
    """Texts one after another, without padding."""

    ids: np.ndarray
    cases: np.ndarray
    texts: np.ndarray  # Offsets of texts in `ids`, one more than texts.
    windows: np.ndarray  # Offsets of texts in windows.
    labels: np.ndarray
    any_of: np.ndarray
    weights: np.ndarray
    window_labels: np.ndarray  # NaN where unknown.


def batch_of(examples: list[Example], longest: int, random: np.random.Generator | None = None) -> Batch:
    ids, cases, lengths, window_labels = [], [], [], []
    for example in examples:
        start = start_of(example, longest, random)
        ids.append(example.ids[start : start + longest])
        cases.append(example.cases[start : start + longest])
        lengths.append(len(ids[-1]))
        windows = windows_in(lengths[-1])
        labels = np.full(windows, np.nan, np.float32)
        if example.planted is not None:
            first, last = example.planted[0] - start, example.planted[1] - start
            for window in range(windows):
                shared = min(last, (window + WINDOW_BLOCKS) * BLOCK) - max(first, window * BLOCK)
                labels[window] = 0 if shared <= 0 else 1 if shared >= min(8, last - first) else np.nan
        window_labels.append(labels)
    return Batch(
        ids=np.concatenate(ids).astype(np.int64),
        cases=np.concatenate(cases).astype(np.int64),
        texts=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        windows=np.concatenate([[0], np.cumsum([windows_in(n) for n in lengths])]).astype(np.int64),
        labels=np.stack([e.labels for e in examples]),
        any_of=np.array([e.any_of for e in examples], np.float32),
        weights=np.array([e.weight for e in examples], np.float32),
        window_labels=np.concatenate(window_labels),
    )


def windows_in(tokens: int) -> int:
    return max(1, -(-tokens // BLOCK) - WINDOW_BLOCKS + 1)


def start_of(example: Example, longest: int, random: np.random.Generator | None) -> int:
    """Where to cut a text that is too long: anywhere, but what was planted stays in."""
    spare = len(example.ids) - longest
    if spare <= 0 or random is None:
        return 0
    if example.planted is None:
        return int(random.integers(0, spare + 1))
    first, last = example.planted
    low, high = max(0, min(first, last - longest)), max(0, min(first, spare))
    return int(random.integers(min(low, high), max(low, high) + 1))


@njit(parallel=True, fastmath=True, cache=True)
def pool(rows, words, case_rows, cases, kept, bias, texts, windows, values, top, places, mean):
    """Fills `values` per token and `top`, `places` (token of the highest value, or -1) and `mean` per window."""
    features = bias.shape[0]
    for text in prange(texts.shape[0] - 1):
        first, last = texts[text], texts[text + 1]
        for at in range(first, last):
            for f in range(features):
                values[at, f] = bias[f]
            for place in range(3):
                other = at + place - 1
                if other < first or other >= last or not kept[other]:
                    continue
                word, case = words[other], cases[other]
                for f in range(features):
                    values[at, f] += rows[word, place, f] + case_rows[case, place, f]
            for f in range(features):
                values[at, f] = max(values[at, f], np.float32(0))
        for window in range(windows[text], windows[text + 1]):
            start = first + (window - windows[text]) * BLOCK
            end = min(last, start + WINDOW)
            for f in range(features):
                top[window, f] = 0
                places[window, f] = -1
                mean[window, f] = 0
            for at in range(start, end):
                for f in range(features):
                    value = values[at, f]
                    mean[window, f] += value
                    if value > top[window, f]:
                        top[window, f] = value
                        places[window, f] = at
            share = np.float32(1) / max(end - start, 1)
            for f in range(features):
                mean[window, f] *= share


@njit(parallel=True, fastmath=True, cache=True)
def unpool(words, cases, kept, texts, windows, values, places, top_gradient, mean_gradient, rows_gradient, case_gradient, bias_gradient):
    """The way back of `pool`. The gradients have one leading place per thread, for what each adds up by itself."""
    threads = bias_gradient.shape[0]
    features = values.shape[1]
    count = texts.shape[0] - 1
    for thread in prange(threads):
        for text in range(count * thread // threads, count * (thread + 1) // threads):
            first, last = texts[text], texts[text + 1]
            gradient = np.zeros((last - first, features), np.float32)
            for window in range(windows[text], windows[text + 1]):
                start = (window - windows[text]) * BLOCK
                end = min(last - first, start + WINDOW)
                share = np.float32(1) / max(end - start, 1)
                for at in range(start, end):
                    for f in range(features):
                        gradient[at, f] += mean_gradient[window, f] * share
                for f in range(features):
                    if places[window, f] >= 0:
                        gradient[places[window, f] - first, f] += top_gradient[window, f]
            for at in range(first, last):
                for f in range(features):
                    if values[at, f] <= 0:
                        gradient[at - first, f] = 0
                    bias_gradient[thread, f] += gradient[at - first, f]
                for place in range(3):
                    other = at + place - 1
                    if other < first or other >= last or not kept[other]:
                        continue
                    word, case = words[other], cases[other]
                    for f in range(features):
                        rows_gradient[thread, word, place, f] += gradient[at - first, f]
                    if case > 0:
                        for f in range(features):
                            case_gradient[thread, case, place, f] += gradient[at - first, f]


THREADS = 2


class Encoder:
    """Words to pooled features, with Adam. `embeddings` is moved from where it starts, and pulled back there."""

    def __init__(self, embeddings: np.ndarray, features: int, seed: int):
        random = np.random.default_rng(seed)
        dimensions = embeddings.shape[1]
        self.start = embeddings.astype(np.float32)
        self.parameters = {
            "embeddings": embeddings.astype(np.float32).copy(),
            "cases": np.zeros((CASES, dimensions), np.float32),
            "convolution": (random.standard_normal((dimensions, WIDTH * features)) * np.sqrt(2 / (WIDTH * dimensions))).astype(np.float32),
            "bias": np.zeros(features, np.float32),
        }
        self.features = features

    def forward(self, batch: Batch, kept: np.ndarray | None = None) -> np.ndarray:
        """`[windows, 2 * features]`: the highest value of each feature, then its mean."""
        p, features = self.parameters, self.features
        self.batch = batch
        self.unique, self.words = np.unique(batch.ids, return_inverse=True)
        self.kept = np.ones(len(batch.ids), np.bool_) if kept is None else kept
        rows = (p["embeddings"][self.unique] @ p["convolution"]).reshape(-1, WIDTH, features)
        case_rows = (p["cases"] @ p["convolution"]).reshape(CASES, WIDTH, features)
        count = int(batch.windows[-1])
        self.values = np.empty((len(batch.ids), features), np.float32)
        self.places = np.empty((count, features), np.int64)
        top, mean = np.empty((count, features), np.float32), np.empty((count, features), np.float32)
        pool(rows, self.words, case_rows, batch.cases, self.kept, p["bias"], batch.texts, batch.windows, self.values, top, self.places, mean)
        return np.concatenate([top, mean], 1)

    def backward(self, gradient: np.ndarray, pull: float) -> dict[str, np.ndarray]:
        """Gradients of the parameters; that of `embeddings` for the rows `self.unique` only."""
        p, features, batch = self.parameters, self.features, self.batch
        rows = np.zeros((THREADS, len(self.unique), WIDTH, features), np.float32)
        cases = np.zeros((THREADS, CASES, WIDTH, features), np.float32)
        bias = np.zeros((THREADS, features), np.float32)
        top, mean = np.ascontiguousarray(gradient[:, :features]), np.ascontiguousarray(gradient[:, features:])
        unpool(self.words, batch.cases, self.kept, batch.texts, batch.windows, self.values, self.places, top, mean, rows, cases, bias)
        rows, cases = rows.sum(0).reshape(len(self.unique), -1), cases.sum(0).reshape(CASES, -1)
        words = p["embeddings"][self.unique]
        return {
            "embeddings": rows @ p["convolution"].T + pull * (words - self.start[self.unique]),
            "cases": cases @ p["convolution"].T,
            "convolution": words.T @ rows + p["cases"].T @ cases,
            "bias": bias.sum(0),
        }


class Adam:
    def __init__(self):
        self.first, self.second, self.count = {}, {}, 0

    def update(self, parameters: dict, gradients: dict, rate: float, rows: dict[str, np.ndarray], slow: dict[str, float], decay: dict[str, float]) -> None:
        self.count += 1
        scale = np.sqrt(1 - 0.999**self.count) / (1 - 0.9**self.count)
        for name, gradient in gradients.items():
            value = parameters[name]
            if name not in self.first:
                self.first[name], self.second[name] = np.zeros_like(value), np.zeros_like(value)
            at = rows.get(name, slice(None))
            self.first[name][at] = first = 0.9 * self.first[name][at] + 0.1 * gradient
            self.second[name][at] = second = 0.999 * self.second[name][at] + 0.001 * gradient**2
            own = rate * slow.get(name, 1.0)
            value[at] -= own * (scale * first / (np.sqrt(second) + 1e-8) + decay.get(name, 0.0) * value[at])


class Head:
    """Pooled features to logits by one hidden layer."""

    def __init__(self, features: int, hidden: int, outputs: int, random: np.random.Generator):
        self.parameters = {
            "hidden": (random.standard_normal((2 * features, hidden)) * np.sqrt(1 / features)).astype(np.float32),
            "hidden_bias": np.zeros(hidden, np.float32),
            "out": (random.standard_normal((hidden, outputs)) * np.sqrt(0.5 / hidden)).astype(np.float32),
            "out_bias": np.full(outputs, -2.0, np.float32),
        }

    def forward(self, pooled: np.ndarray, dropout: float = 0.0, random: np.random.Generator | None = None) -> np.ndarray:
        p = self.parameters
        self.kept = None if random is None or dropout == 0 else (random.random(pooled.shape, np.float32) >= dropout) / np.float32(1 - dropout)
        self.pooled = pooled if self.kept is None else pooled * self.kept
        self.hidden = np.maximum(self.pooled @ p["hidden"] + p["hidden_bias"], 0)
        return self.hidden @ p["out"] + p["out_bias"]

    def backward(self, gradient: np.ndarray) -> tuple[dict[str, np.ndarray], np.ndarray]:
        p = self.parameters
        inner = (gradient @ p["out"].T) * (self.hidden > 0)
        back = inner @ p["hidden"].T
        gradients = {
            "hidden": self.pooled.T @ inner,
            "hidden_bias": inner.sum(0),
            "out": self.hidden.T @ gradient,
            "out_bias": gradient.sum(0),
        }
        return gradients, back if self.kept is None else back * self.kept


def sigmoid(x: np.ndarray) -> np.ndarray:
    return (1 / (1 + np.exp(-np.clip(x, -30, 30)))).astype(np.float32)


def cross_entropy(logits: np.ndarray, labels: np.ndarray) -> np.ndarray:
    return np.maximum(logits, 0) - logits * labels + np.log1p(np.exp(-np.abs(logits)))


def soft_maximum(logits: np.ndarray, offsets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The soft maximum over the rows of each text, and each row's share in it."""
    highest = np.maximum.reduceat(logits, offsets[:-1])
    owners = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    raised = np.exp(SHARPNESS * (logits - highest[owners]))
    sums = np.add.reduceat(raised, offsets[:-1])
    return highest + np.log(sums) / SHARPNESS, raised / sums[owners]


@dataclass
class Task:
    """A head and what it answers. `group`: outputs of which `Example.any_of` speaks; `placed`: those that planted spans place."""

    outputs: slice
    group: slice | None = None
    placed: slice | None = None


class Network:
    def __init__(self, embeddings: np.ndarray, tasks: dict[str, Task], features: int, hidden: int, seed: int):
        random = np.random.default_rng(seed + 1)
        self.encoder = Encoder(embeddings, features, seed)
        self.tasks = tasks
        self.heads = {name: Head(features, hidden, task.outputs.stop - task.outputs.start, random) for name, task in tasks.items()}

    def loss(self, task: Task, logits: np.ndarray, batch: Batch) -> tuple[float, np.ndarray]:
        """The task's loss and its gradient by `logits`, `[windows, outputs of the task]`."""
        whole, shares = soft_maximum(logits, batch.windows)
        owners = np.repeat(np.arange(len(batch.weights)), np.diff(batch.windows))
        weights = batch.weights / batch.weights.sum()
        labels = batch.labels[:, task.outputs]
        known = ~np.isnan(labels)
        labels = np.nan_to_num(labels)
        placed_rows = ~np.isnan(batch.window_labels) if task.placed is not None else np.zeros(len(owners), bool)
        counts = np.bincount(owners[placed_rows], minlength=len(weights))
        own = weights * np.where(counts > 0, 0.5, 1.0)
        loss = float(((cross_entropy(whole, labels) * known).sum(1) * own).sum())
        whole_gradient = (sigmoid(whole) - labels) * known * own[:, None]
        if task.group is not None:
            grouped = whole[:, task.group]
            highest = grouped.max(1, keepdims=True)
            raised = np.exp(SHARPNESS * (grouped - highest))
            any_logit = highest[:, 0] + np.log(raised.sum(1)) / SHARPNESS
            loss += float((cross_entropy(any_logit, 1.0) * batch.any_of * weights).sum())
            whole_gradient[:, task.group] += ((sigmoid(any_logit) - 1) * batch.any_of * weights)[:, None] * raised / raised.sum(1, keepdims=True)
        gradient = shares * whole_gradient[owners]
        if placed_rows.any():
            at = np.flatnonzero(placed_rows)
            share = (weights[owners[at]] / counts[owners[at]])[:, None]
            placed = logits[at][:, task.placed]
            expected = batch.window_labels[at][:, None]
            loss += float((cross_entropy(placed, expected) * share).sum())
            gradient[at, task.placed] += (sigmoid(placed) - expected) * share
        return loss, gradient.astype(np.float32)

    def fit(self, examples, epochs: int, rate: float, seed: int, tokens: int = 16_384, word_dropout=0.1, dropout=0.2, pull=1e-4, decay=0.01, slow=0.3, log=None):
        """`examples`: a list, or a function of the epoch that gives one."""
        random = np.random.default_rng(seed)
        adams = {name: Adam() for name in ("encoder", *self.heads)}
        done = 0.0
        for epoch in range(epochs):
            current = examples(epoch) if callable(examples) else examples
            total, batches = 0.0, list(batches_of(current, tokens, random))
            for chosen in batches:
                batch = batch_of([current[i] for i in chosen], LONGEST_TRAINED, random)
                kept = random.random(len(batch.ids)) >= word_dropout
                pooled = self.encoder.forward(batch, kept)
                back = np.zeros_like(pooled)
                warm = min(1.0, (done * len(batches) + 1) / 40)
                current_rate = rate * warm * (0.01 + 0.99 * (0.5 + 0.5 * np.cos(np.pi * done / epochs)))
                for name, head in self.heads.items():
                    loss, gradient = self.loss(self.tasks[name], head.forward(pooled, dropout, random), batch)
                    gradients, own_back = head.backward(gradient)
                    back += own_back
                    total += loss
                    adams[name].update(head.parameters, gradients, current_rate, {}, {}, {"hidden": decay})
                gradients = self.encoder.backward(back, pull)
                gradients["cases"][0] = 0  # Lower case is what the embeddings stand for.
                adams["encoder"].update(
                    self.encoder.parameters, gradients, current_rate, {"embeddings": self.encoder.unique}, {"embeddings": slow}, {"convolution": decay}
                )
                done += 1 / len(batches)
            if log:
                log(f"epoch {epoch + 1} of {epochs}: loss {total / len(batches):.4f}")

    def logits(self, batch: Batch) -> np.ndarray:
        """`[windows, outputs]`, the tasks' outputs side by side."""
        pooled = self.encoder.forward(batch)
        return np.concatenate([head.forward(pooled) for head in self.heads.values()], 1)

    def score(self, examples: list[Example], tokens: int = 65_536) -> np.ndarray:
        """The highest logit over the windows of each text, `[examples, outputs]`."""
        result = None
        for chosen in batches_of(examples, tokens, None):
            batch = batch_of([examples[i] for i in chosen], LONGEST_SCORED)
            logits = np.maximum.reduceat(self.logits(batch), batch.windows[:-1])
            if result is None:
                result = np.zeros((len(examples), logits.shape[1]), np.float32)
            result[chosen] = logits
        return result


def batches_of(examples: list[Example], tokens: int, random: np.random.Generator | None):
    """Indices of examples, some `tokens` tokens a batch, in random order where there is a `random`."""
    order = np.arange(len(examples)) if random is None else random.permutation(len(examples))
    longest = LONGEST_SCORED if random is None else LONGEST_TRAINED
    chosen, count = [], 0
    for i in order:
        chosen.append(i)
        count += min(longest, len(examples[i].ids))
        if count >= tokens:
            yield chosen
            chosen, count = [], 0
    if chosen:
        yield chosen
