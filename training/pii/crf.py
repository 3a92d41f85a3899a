"""A linear-chain conditional random field over hashed features, trained with AdaGrad on partly labelled chains."""

from __future__ import annotations

import numpy as np
from scipy import sparse

NO = -1e9


class Crf:
    """`weights`: (rows, labels); `moves`: (labels, labels) from the label before to the one after. Label 0 is O, which surrounds every chain."""

    def __init__(self, rows: int, labels: int) -> None:
        self.weights = np.zeros((rows, labels))
        self.moves = np.zeros((labels, labels))

    def marginals(self, scores: np.ndarray, lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of chains padded to one length, `scores` (chains, length, labels): marginals, expected moves and log partition."""
        count, longest, labels = scores.shape
        moves = self.moves
        forward = np.empty_like(scores)
        forward[:, 0] = scores[:, 0] + moves[0]
        for t in range(1, longest):
            step = log_sum(forward[:, t - 1, :, None] + moves[None], axis=1) + scores[:, t]
            forward[:, t] = np.where((t < lengths)[:, None], step, forward[:, t - 1])
        total = log_sum(forward[:, -1] + moves[:, 0], axis=1)
        backward = np.empty_like(scores)
        backward[:, -1] = moves[:, 0]
        pair_sum = np.zeros((labels, labels))
        for t in range(longest - 2, -1, -1):
            ahead = scores[:, t + 1] + backward[:, t + 1]
            step = log_sum(moves[None] + ahead[:, None, :], axis=2)
            inside = (t + 1 < lengths)[:, None]
            backward[:, t] = np.where(inside, step, moves[:, 0])
            pairs = np.exp(forward[:, t, :, None] + moves[None] + ahead[:, None, :] - total[:, None, None])
            pair_sum += (pairs * inside[:, :, None]).sum(axis=0)
        marginal = np.exp(forward + backward - total[:, None, None])
        pair_sum[0] += marginal[:, 0].sum(axis=0)
        pair_sum[:, 0] += marginal[np.arange(count), lengths - 1].sum(axis=0)
        return marginal, pair_sum, total

    def fit(self, x: sparse.csr_matrix, allowed: np.ndarray, chains: np.ndarray, weight: np.ndarray, rounds: int, decay: float, seed: int) -> None:
        """`allowed`: (tokens, labels) booleans; `chains`: (n, 2) first and last + 1 token; `weight`: of each chain."""
        random = np.random.default_rng(seed)
        squares = np.full_like(self.weights, 1e-2)
        move_squares = np.full_like(self.moves, 1.0)
        for round_ in range(rounds):
            order = random.permutation(len(chains))
            rate = 0.25 / (1 + 0.15 * round_)
            for start in range(0, len(order), 2048):
                chosen = chains[order[start : start + 2048]]
                self._step(x, allowed, chosen, weight[order[start : start + 2048]], rate, decay, squares, move_squares)

    def _step(self, x, allowed, chains, weight, rate, decay, squares, move_squares) -> None:
        rows = np.concatenate([np.arange(a, b) for a, b in chains])
        part = x[rows]
        scores = part @ self.weights
        lengths = chains[:, 1] - chains[:, 0]
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        gradient = np.zeros_like(scores)
        move_gradient = np.zeros_like(self.moves)
        for length, group in groups(lengths):
            at = offsets[group][:, None] + np.minimum(np.arange(length), lengths[group][:, None] - 1)
            free = scores[at]
            bound = np.where(allowed[rows][at], free, NO)
            sizes = lengths[group]
            mask = (np.arange(length) < sizes[:, None])[:, :, None] * weight[group][:, None, None]
            have, pairs_free, _ = self.marginals(free, sizes)
            want, pairs_bound, _ = self.marginals(bound, sizes)
            np.add.at(gradient, at.reshape(-1), ((have - want) * mask).reshape(-1, scores.shape[1]))
            move_gradient += pairs_free - pairs_bound
        delta = part.T @ gradient + decay * self.weights
        squares += delta * delta
        self.weights -= rate * delta / np.sqrt(squares)
        move_squares += move_gradient * move_gradient
        self.moves -= rate * move_gradient / np.sqrt(move_squares)

    def predict(self, x: sparse.csr_matrix, chains: np.ndarray) -> np.ndarray:
        """Marginals (tokens, labels) of all tokens of `chains`; others are 0."""
        scores = x @ self.weights
        result = np.zeros_like(scores)
        lengths = chains[:, 1] - chains[:, 0]
        for length, group in groups(lengths):
            at = chains[group][:, :1] + np.minimum(np.arange(length), lengths[group][:, None] - 1)
            marginal, _, _ = self.marginals(scores[at], lengths[group])
            inside = np.arange(length) < lengths[group][:, None]
            result[at[inside]] = marginal[inside]
        return result


def groups(lengths: np.ndarray):
    """Chains by similar length, so that little is padded."""
    edges = [1, 2, 3, 4, 6, 9, 14, 24, 48, 128, 1_000_000]
    low = 0
    for high in edges:
        group = np.flatnonzero((lengths > low) & (lengths <= high))
        if len(group) > 0:
            yield int(lengths[group].max()), group
        low = high


def log_sum(values: np.ndarray, axis: int) -> np.ndarray:
    top = values.max(axis=axis, keepdims=True)
    return (top + np.log(np.exp(values - top).sum(axis=axis, keepdims=True))).squeeze(axis)
