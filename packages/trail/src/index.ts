export { formatCheckpoint, parseCheckpoint, type Checkpoint } from './checkpoint.ts';
export {
  cosign,
  cosigner,
  cosigningKey,
  formatCosigner,
  parseCosigner,
  readCosignatures,
  type Cosignature,
  type Cosigner,
} from './cosignature.ts';
export { Frontier, type Completed } from './frontier.ts';
export { EMPTY_ROOT, HASH_BYTES, leafHash, nodeHash } from './hashes.ts';
export {
  formatVerifier,
  isSignedBy,
  noteSigner,
  noteVerifier,
  openNote,
  parseVerifier,
  signatureLine,
  signNote,
  splitNote,
  type NoteVerifier,
  type OpenedNote,
} from './note.ts';
export { formatProofFile, parseProofFile, type ProofFile } from './proof-file.ts';
export { isConsistent, isIncluded } from './proofs.ts';
export { consistencyRanges, inclusionRanges, nodesOf, rangeSiblings, type Node, type Range } from './ranges.ts';
export { parseTilePath, rangeHash, TILE_WIDTH, tilePath, tilesFor, tileWidth, type Tile, type TileBytes } from './tiles.ts';
