"""Tokens of a text and the features of those that may be part of a name.

The twin of `packages/engine/src/detectors/pii/tokens.ts` and `tagger.ts`: both must see the same tokens, candidates and hashes,
which `parity.json` proves. Texts are strings of UTF-16 units here: a character beyond the basic plane is two surrogates.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

import numpy as np

# Kinds of tokens.
LOWER, TITLE, CAPS, INITIAL, MIXED, LOWER_MIXED, UNCASED = 1, 2, 3, 4, 5, 6, 7
HAN, HIRAGANA, KATAKANA = 8, 9, 10
DIGITS_2, DIGITS_4, DIGITS_5, DIGITS_MORE, NUMBERED, WORD_WITH_DIGIT = 11, 12, 13, 14, 15, 16
NEWLINE, COMMA, STOP_SIGN, SIGN = 17, 18, 19, 20

# What the lexicon knows of a word, a bit each.
GIVEN, SURNAME, PLACE, COUNTRY, ORG, NRP, JOB, JOB_HEAD = 1, 2, 4, 8, 16, 32, 64, 128
HONORIFIC, STREET, COMMON, STOP, CONNECTOR, CUE, DATE = 256, 512, 1024, 2048, 4096, 8192, 16384
NAMEISH = GIVEN | SURNAME | PLACE | COUNTRY | ORG | NRP

MASK32 = 0xFFFFFFFF
FNV_START, FNV_PRIME = 0x811C9DC5, 16777619
FEATURES = 36
RUN_MAX = 256  # A run of candidates is cut at so many.
JOB_GAP_MAX = 4  # Words between a capital and the word for a job.
EDGE = 1  # The hash of what is beyond the ends.


def units(text: str) -> str:
    """The text with every UTF-16 unit as one character."""
    if all(ord(char) < 0x10000 for char in text):
        return text
    raw = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(raw[i] | raw[i + 1] << 8) for i in range(0, len(raw), 2))


LETTER_CLASS, DIGIT_CLASS, HAN_CLASS, HIRAGANA_CLASS, KATAKANA_CLASS, SPACE_CLASS, NEWLINE_CLASS, SIGN_CLASS = range(8)


@lru_cache(maxsize=None)
def char_class(char: str) -> int:
    code = ord(char)
    if char == "\n":
        return NEWLINE_CLASS
    if code <= 32 or code == 0xA0 or code == 0x3000 or code == 0x85 or 0x2000 <= code <= 0x200A or code in (0x2028, 0x2029):
        return SPACE_CLASS
    if 48 <= code <= 57:
        return DIGIT_CLASS
    if 0x4E00 <= code <= 0x9FFF or 0x3400 <= code <= 0x4DBF or code == 0x3005:
        return HAN_CLASS
    if 0x3041 <= code <= 0x309F:
        return HIRAGANA_CLASS
    if 0x30A0 <= code <= 0x30FF and code not in (0x30A0, 0x30FB):
        return KATAKANA_CLASS
    if unicodedata.category(char)[0] in "LM":
        return LETTER_CLASS
    return SIGN_CLASS


@lru_cache(maxsize=None)
def is_upper(char: str) -> bool:
    return unicodedata.category(char) == "Lu"


@lru_cache(maxsize=None)
def fold(char: str) -> int:
    low = char.lower()
    return ord(low) if len(low) == 1 else ord(char)


def hash_of(codes) -> int:
    value = FNV_START
    for code in codes:
        value = ((value ^ code) * FNV_PRIME) & MASK32
    return value


def word_hash(word: str) -> int:
    """The hash of a word whatever its case."""
    return hash_of([fold(char) for char in units(word)])


@lru_cache(maxsize=400_000)
def describe(word: str, klass: int) -> tuple[int, int, int, int, int, int]:
    """Hash, kind, and hashes of the first 3, last 2, 3 and 4 characters of a token."""
    codes = [fold(char) for char in word]
    return (
        hash_of(codes),
        kind_of(word, klass),
        hash_of(codes[:3]),
        hash_of(codes[-2:]),
        hash_of(codes[-3:]),
        hash_of(codes[-4:]),
    )


def kind_of(word: str, klass: int) -> int:
    if klass == NEWLINE_CLASS:
        return NEWLINE
    if klass == SIGN_CLASS:
        return COMMA if word in ",،、，" else STOP_SIGN if word == "." else SIGN
    if klass == HAN_CLASS:
        return HAN
    if klass == HIRAGANA_CLASS:
        return HIRAGANA
    if klass == KATAKANA_CLASS:
        return KATAKANA
    digits = sum(48 <= ord(char) <= 57 for char in word)
    if klass == DIGIT_CLASS:
        if digits < len(word):
            return NUMBERED
        return DIGITS_2 if digits <= 2 else DIGITS_4 if digits <= 4 else DIGITS_5 if digits == 5 else DIGITS_MORE
    if digits > 0:
        return WORD_WITH_DIGIT
    uppers = sum(is_upper(char) for char in word)
    if not is_upper(word[0]):
        if uppers > 0:
            return LOWER_MIXED
        return LOWER if has_case(word[0]) else UNCASED
    if len(word) == 1:
        return INITIAL
    return TITLE if uppers == 1 else CAPS if uppers == len(word) else MIXED


@lru_cache(maxsize=None)
def has_case(char: str) -> bool:
    return unicodedata.category(char) == "Ll"


def tokenise(text: str) -> tuple[list[int], list[int], list[tuple]]:
    """Starts, ends and descriptions of the tokens of `text` (in units)."""
    starts: list[int] = []
    ends: list[int] = []
    tokens: list[tuple] = []
    at, length = 0, len(text)
    while at < length:
        klass = char_class(text[at])
        start = at
        at += 1
        if klass == SPACE_CLASS:
            continue
        if klass == NEWLINE_CLASS:
            while at < length and char_class(text[at]) in (SPACE_CLASS, NEWLINE_CLASS):
                at += 1
            word = "\n"
        elif klass in (LETTER_CLASS, DIGIT_CLASS):
            capital = is_upper(text[start])
            while at < length:
                next_class = char_class(text[at])
                if next_class in (LETTER_CLASS, DIGIT_CLASS):
                    at += 1
                elif capital and joins_name(text, at):
                    at += 2
                else:
                    break
            word = text[start:at]
        else:
            if klass in (HIRAGANA_CLASS, KATAKANA_CLASS):
                while at < length and char_class(text[at]) == klass:
                    at += 1
            word = text[start:at]
        starts.append(start)
        ends.append(at)
        tokens.append(describe(word, klass))
    return starts, ends, tokens


def joins_name(text: str, at: int) -> bool:
    """`O'Brien` is one word, `Brien's` is two: an apostrophe joins when two letters follow."""
    return (
        text[at] in "'’"
        and at + 2 < len(text)
        and char_class(text[at + 1]) == LETTER_CLASS
        and char_class(text[at + 2]) == LETTER_CLASS
    )


CASED = (TITLE, CAPS, INITIAL, MIXED)
SMALL = (LOWER, LOWER_MIXED, UNCASED)
JOINING = frozenset(hash_of([ord(char)]) for char in "-&/#'’")


def candidates(kinds: list[int], hashes: list[int], bits: list[int], lengths: list[int]) -> bytearray:
    """1 for each token that may be part of a name; all others are none."""
    count = len(kinds)
    found = bytearray(count)
    for i in range(count):
        kind, known = kinds[i], bits[i]
        if kind in CASED:
            found[i] = not known & STOP
        elif kind in SMALL:
            found[i] = is_small_candidate(kinds, bits, lengths, found, i)
        elif kind == KATAKANA:
            found[i] = 1
        elif kind == HAN:
            if known & (SURNAME | COUNTRY):
                for j in range(i, min(count, i + 4)):
                    if kinds[j] in (HAN, HIRAGANA) and (kinds[j] == HAN or j > i):
                        found[j] |= kinds[j] == HAN
            if known & (PLACE | ORG):
                for j in range(max(0, i - 4), i + 1):
                    found[j] |= kinds[j] == HAN
    for i in range(count - 2, -1, -1):
        if not found[i] and kinds[i] in SMALL and bits[i] & JOB and found[i + 1] and bits[i + 1] & JOB:
            found[i] = 1
    for i in range(2, count):
        # `Outside order clerk`: what stands between a capital and the word for a job.
        if found[i] and bits[i] & JOB_HEAD:
            at = i - 1
            while at > 0 and i - at <= JOB_GAP_MAX and not found[at] and kinds[at] in SMALL and (bits[at] & CONNECTOR or not bits[at] & (STOP | CUE)):
                at -= 1
            if at < i - 1 and found[at] and kinds[at] in CASED:
                found[at + 1 : i] = bytes([1]) * (i - at - 1)
    for i in range(count):
        if DIGITS_2 <= kinds[i] <= WORD_WITH_DIGIT and not found[i]:
            near_next = i + 1 < count and found[i + 1] and kinds[i + 1] < DIGITS_2
            near_last = i > 0 and found[i - 1] and kinds[i - 1] < DIGITS_2
            found[i] = bool(near_next or near_last)
    for i in range(1, count - 1):
        if found[i] or not found[i - 1]:
            continue
        if found[i + 1] and can_join(kinds, hashes, bits, lengths, i):
            found[i] = 1
        elif bits[i] & CONNECTOR and bits[i + 1] & CONNECTOR and not found[i + 1] and i + 2 < count and found[i + 2]:
            found[i] = found[i + 1] = 1
    return found


def is_small_candidate(kinds, bits, lengths, found, i) -> bool:
    known = bits[i]
    if known & STOP:
        return False
    if known & (JOB_HEAD | NRP | COUNTRY):
        return True
    if known & NAMEISH and not known & COMMON:
        return True
    if i > 0 and bits[i - 1] & CUE and not known & COMMON and lengths[i] > 1:
        return True
    if i > 0 and found[i - 1] and bits[i - 1] & GIVEN and kinds[i - 1] in SMALL and not known & COMMON and lengths[i] > 1:
        return True
    return bool(known & GIVEN and i + 1 < len(kinds) and bits[i + 1] & SURNAME and not bits[i + 1] & COMMON and kinds[i + 1] in SMALL)


def can_join(kinds, hashes, bits, lengths, i) -> bool:
    kind = kinds[i]
    if kind in (COMMA, NEWLINE):
        return True
    if kind == STOP_SIGN:
        return lengths[i - 1] <= 4 or bool(bits[i - 1] & HONORIFIC)
    if kind == SIGN:
        return hashes[i] in JOINING
    return bool(bits[i] & CONNECTOR)


SEEDS = [((k + 1) * 0x9E3779B1) & MASK32 for k in range(FEATURES)]


def mix(seed: int, a, b=0, c=0):
    """The row of a feature before it is cut to the table: the same steps as `mix` of tagger.ts, on arrays of uint32."""
    with np.errstate(over="ignore"):
        value = np.uint32(seed) ^ np.asarray(a, dtype=np.uint32)
        value = (value ^ (value >> np.uint32(15))) * np.uint32(0x85EBCA6B)
        value = value ^ np.asarray(b, dtype=np.uint32)
        value = (value ^ (value >> np.uint32(13))) * np.uint32(0xC2B2AE35)
        value = value ^ np.asarray(c, dtype=np.uint32)
        value = (value ^ (value >> np.uint32(16))) * np.uint32(0x27D4EB2F)
        return value ^ (value >> np.uint32(15))


class Corpus:
    """Tokens of many texts in one row of arrays, two edges between texts so that neighbours never reach into another one."""

    GAP = 3

    def __init__(self, lexicon) -> None:
        self.lexicon = lexicon
        self.columns: list[list[int]] = [[] for _ in range(8)]
        self.found = bytearray()
        self.runs: list[tuple[int, int]] = []
        self.case: list[int] = []
        self._pad()

    def _pad(self) -> None:
        for _ in range(self.GAP):
            for column, value in zip(self.columns, (EDGE, 0, 0, 0, 0, 0, 0, 0)):
                column.append(value)
            self.found.append(0)
            self.case.append(0)

    def add(self, text: str) -> tuple[int, list[int], list[int]]:
        """Adds a text in units; answers the index of its first token and the tokens' offsets."""
        starts, ends, tokens = tokenise(text)
        first = len(self.found)
        bits = [self.lexicon.get(token[0], 0) for token in tokens]
        hashes = [token[0] for token in tokens]
        kinds = [token[1] for token in tokens]
        lengths = [end - start for start, end in zip(starts, ends)]
        found = candidates(kinds, hashes, bits, lengths)
        case = case_of(kinds)
        for token, known in zip(tokens, bits):
            for column, value in zip(self.columns, (*token, known)):
                column.append(value)
        self.columns[7].extend([0] * len(tokens))
        self.found.extend(found)
        self.case.extend([case] * len(tokens))
        i = 0
        while i < len(found):
            if not found[i]:
                i += 1
                continue
            start = i
            while i < len(found) and found[i] and i - start < RUN_MAX:
                i += 1
            self.runs.append((first + start, first + i))
        self._pad()
        return first, starts, ends

    def features(self, drop_bits: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Indices of the candidate tokens and, for each, the hashes of its features."""
        word, kind, p3, s2, s3, s4, bits = (np.array(column, dtype=np.uint32) for column in self.columns[:7])
        if drop_bits is not None:
            bits = np.where(drop_bits, bits & np.uint32(~NAMEISH & MASK32), bits)
        case = np.array(self.case, dtype=np.uint32)
        index = np.flatnonzero(np.frombuffer(bytes(self.found), dtype=np.uint8))
        first = np.zeros(len(word), dtype=np.int64)
        last = np.zeros(len(word), dtype=np.int64)
        for start, end in self.runs:
            first[start:end] = start
            last[start:end] = end - 1
        i, s, e = index, first[index], last[index]
        k, g = kind, bits
        opens = (kind[i - 1] == NEWLINE) | (kind[i - 1] == STOP_SIGN) | (kind[i - 1] == SIGN) | (kind[i - 1] == 0)
        before = np.where(kind[s - 1] == 0, word[s - 1], word[s - 2])
        kk = k[i]
        rows = [
            (word[i],),
            (word[i], kk),
            (word[i - 1],),
            (word[i + 1],),
            (word[i - 2],),
            (word[i + 2],),
            (word[i - 1], word[i]),
            (word[i], word[i + 1]),
            (k[i - 1], kk, k[i + 1]),
            (k[i - 2], k[i - 1], kk),
            (kk, k[i + 1], k[i + 2]),
            (p3[i], kk),
            (s3[i], kk),
            (s4[i],),
            (s2[i], kk),
            (g[i], kk),
            (g[i - 1], g[i]),
            (g[i], g[i + 1]),
            (g[i - 1], g[i], g[i + 1]),
            (word[i - 2], word[i - 1]),
            (word[i + 1], word[i + 2]),
            (word[i - 1], kk, g[i]),
            (word[i + 1], kk, g[i]),
            (word[s - 1], kk, (i == s)),
            (word[e + 1], kk),
            (word[s],),
            (word[e],),
            (np.minimum(e - s, 6), np.minimum(i - s, 5)),
            (word[s - 1], before),
            (g[s], g[e]),
            (opens, kk, g[i]),
            (word[s - 1], word[e + 1]),
            (case[i], kk),
            (word[i - 3],),
            (word[i + 3],),
            (g[i],),
        ]
        assert len(rows) == FEATURES
        hashed = np.stack([mix(SEEDS[n], *row) for n, row in enumerate(rows)], axis=1)
        return index, hashed


def case_of(kinds: list[int]) -> int:
    """1: hardly a lower case word in the text, 2: no capital at all, 0: as usual."""
    capitals = sum(kind == CAPS for kind in kinds)
    titles = sum(kind in (TITLE, MIXED) for kind in kinds)
    small = sum(kind in (LOWER, LOWER_MIXED) for kind in kinds)
    if capitals > 2 * (small + titles):
        return 1
    return 2 if capitals + titles == 0 and small > 0 else 0
