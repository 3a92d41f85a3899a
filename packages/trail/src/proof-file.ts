// Proofs as files (c2sp.org/tlog-proof@v1): an inclusion proof with the checkpoint that it leads to.

import { HASH_BYTES } from './hashes.ts';

const HEADER = 'c2sp.org/tlog-proof@v1';
/** No tree is higher. */
const HASHES_MAX = 63;

export interface ProofFile {
  readonly index: number;
  readonly proof: readonly Buffer[];
  /** The signed note, as it was published. */
  readonly checkpoint: string;
}

export function formatProofFile({ index, proof, checkpoint }: ProofFile): string {
  return [HEADER, `index ${index}`, ...proof.map((hash) => hash.toString('base64')), '', checkpoint].join('\n');
}

/** `null` for what is not such a file. Its `extra` line, which nothing vouches for, is left unread. */
export function parseProofFile(file: string): ProofFile | null {
  const end = file.indexOf('\n\n');
  if (end < 0) return null;
  const [header, ...lines] = file.slice(0, end).split('\n');
  if (header !== HEADER) return null;
  if (lines[0]?.startsWith('extra ') === true) lines.shift();
  const index = /^index (0|[1-9]\d{0,15})$/.exec(lines.shift() ?? '')?.[1];
  const proof = lines.map((line) => Buffer.from(line, 'base64'));
  const isProof = proof.every((hash, i) => hash.length === HASH_BYTES && hash.toString('base64') === lines[i]);
  if (index === undefined || !Number.isSafeInteger(Number(index)) || !isProof || proof.length > HASHES_MAX) return null;
  return { index: Number(index), proof, checkpoint: file.slice(end + 2) };
}
