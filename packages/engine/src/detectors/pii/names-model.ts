// The model of the tagger of names: weights of features, moves between labels, and a lexicon of words. Read once, at import.

import { readModelFile } from '../../model-files.ts';

/** Labels of tokens, in the order of the model's rows; `O` is no name at all. */
export const LABELS = ['O', 'person', 'location', 'organization', 'address', 'nrp', 'title'] as const;
export const LABEL_COUNT = 7;

/** What training wrote; see `training/pii/model.py` for the form of the file. */
export interface NamesModel {
  /** Number of feature rows. */
  readonly rows: number;
  /** A weight for each label but `O` a row, to be multiplied by `scale`; those of `O` are 0. */
  readonly weights: Int8Array;
  readonly scale: number;
  /** `moves[from * LABEL_COUNT + to]`: how well a label follows another, as a factor. */
  readonly moves: Float64Array;
  /** By label: the probability from which on a token is taken to be of it. */
  readonly limits: Float64Array;
  /** Open addressing over word hashes: the upper half of an entry is that of the hash, the lower half what is known of the word. */
  readonly lexicon: Uint32Array;
}

const MAGIC = 'PIIT';
const VERSION = 2;
const HEADER_LENGTH = 24;

/**
 * Takes the bytes of a model apart.
 * @throws RangeError when they are not a model of this version, or cut short.
 */
export function readNamesModel(file: Uint8Array): NamesModel {
  const bytes = Uint8Array.from(file); // A copy starts at an aligned address, as the arrays below need.
  const view = new DataView(bytes.buffer);
  if (String.fromCharCode(...bytes.subarray(0, 4)) !== MAGIC || view.getUint32(4, true) !== VERSION)
    throw new RangeError('not a model of names of this version');
  const [rows, slots, labels] = [view.getUint32(8, true), view.getUint32(12, true), view.getUint32(16, true)];
  const movesAt = HEADER_LENGTH;
  const limitsAt = movesAt + labels * labels * 4;
  const lexiconAt = limitsAt + labels * 4;
  const weightsAt = lexiconAt + slots * 4;
  if (labels !== LABEL_COUNT || bytes.length !== weightsAt + rows * (labels - 1))
    throw new RangeError('a model of names of another size');
  const floats = (at: number, count: number): Float64Array =>
    Float64Array.from({ length: count }, (_, i) => view.getFloat32(at + i * 4, true));
  return {
    rows,
    weights: new Int8Array(bytes.buffer, weightsAt, rows * (labels - 1)),
    scale: view.getFloat32(20, true),
    moves: floats(movesAt, labels * labels).map((move) => Math.exp(move)),
    limits: floats(limitsAt, labels),
    lexicon: new Uint32Array(bytes.buffer, lexiconAt, slots),
  };
}

/** The model that comes with the engine. */
export const NAMES_MODEL = readNamesModel(readModelFile('pii-names', 'weights.bin'));
