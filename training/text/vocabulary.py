"""The words and pieces of words that the models read: the teacher's, and pieces of other languages found in the training texts."""

import unicodedata
from collections import Counter

from tokenizers import Tokenizer, models, pre_tokenizers, trainers

PIECES_OF_OTHER_LANGUAGES = 14_000
ENTRIES_MAX = 65_536 - 6

WORD_SEED, PIECE_SEED = 0x811C9DC5, 0x2F0B4A27


def fold(text: str) -> str:
    """As `FOLDED` of packages/engine/src/language/characters.ts: lower-case, no accents."""
    folded = []
    for char in text:
        bare = "".join(c for c in unicodedata.normalize("NFKD", char).lower() if not "\u0300" <= c <= "\u036f")
        folded.append(bare if len(bare) == 1 and not "\uac00" <= char <= "\ud7a3" else char.lower() if len(char.lower()) == 1 else char)
    return "".join(folded)


def hash_of(entry: str) -> int:
    """As `hashOf` of packages/engine/src/language/tokens.ts; an entry that starts with ## goes on a word."""
    continues = entry.startswith("##") and len(entry) > 2
    value = PIECE_SEED if continues else WORD_SEED
    units = (entry[2:] if continues else entry).encode("utf-16-le")
    for i in range(0, len(units), 2):
        value = ((value ^ (units[i] | units[i + 1] << 8)) * 0x01000193) & 0xFFFFFFFF
    value = ((value ^ value >> 15) * 0x85EBCA6B) & 0xFFFFFFFF
    return value ^ value >> 13


def build(teacher_entries: list[str], texts: list[str]) -> list[str]:
    """The entries in order, most telling first. `texts`: those that are not in English."""
    entries = [e for e in teacher_entries if is_read(e)]
    known = set(entries)
    words = Counter()
    for text in texts:
        for word in pre_tokenizers.BertPreTokenizer().pre_tokenize_str(fold(text)):
            if word[0] not in known and any(c.isalpha() for c in word[0]):
                words[word[0]] += 1
    trainer = trainers.WordPieceTrainer(vocab_size=PIECES_OF_OTHER_LANGUAGES, min_frequency=3, limit_alphabet=3000, show_progress=False)
    model = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    model.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    model.train_from_iterator((" ".join([word] * min(count, 1000)) for word, count in sorted(words.items())), trainer)
    pieces = sorted(model.get_vocab().items(), key=lambda item: item[1])
    entries += [piece for piece, _ in pieces if piece not in known and is_read(piece)]
    assert len(entries) <= ENTRIES_MAX
    return entries


def is_read(entry: str) -> bool:
    """Whether the tokeniser can come to it: no marker, no long number, one form per word."""
    bare = entry.removeprefix("##") if len(entry) > 2 else entry
    if entry.startswith("[") and len(entry) > 1 or len(bare.encode("utf-16-le")) > 64 or any(ord(c) > 0xFFFF for c in bare):
        return False
    return fold(bare) == bare and not (bare.isdigit() and len(bare) > 2)
