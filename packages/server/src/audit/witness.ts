// Asks a witness for its cosignature (c2sp.org/tlog-witness). Witnesses are the operator's, from the settings.

import { readCosignatures, splitNote, type Cosignature, type Cosigner } from '@svc/trail';

const TIMEOUT_MS = 5_000;
// A cosignature is some 150 bytes; a witness may answer with those of a few keys.
const BODY_BYTES_MAX = 16_384;
const SIZE_TYPE = 'text/x.tlog.size';

/** What a witness answered. */
export type WitnessAnswer =
  /** Checked with its key. */
  | { readonly kind: 'cosigned'; readonly cosignature: Cosignature }
  /** It has last cosigned the tree of this size, not of the one that was named. */
  | { readonly kind: 'elsewhere'; readonly size: number }
  /** It says that the tree does not follow from the one that it cosigned. */
  | { readonly kind: 'inconsistent' }
  /** In a few words, for the log. */
  | { readonly kind: 'fault'; readonly fault: string };

/**
 * Asks for a cosignature of a checkpoint. `oldSize`: of the tree that the witness cosigned last, 0: of none. `proof`: that the checkpoint's tree begins
 * with it; empty for 0. Never throws; takes at most five seconds.
 */
export async function askWitness(
  url: string,
  cosigner: Cosigner,
  asked: { readonly oldSize: number; readonly proof: readonly Buffer[]; readonly note: string },
): Promise<WitnessAnswer> {
  const proof = asked.proof.map((hash) => `${hash.toString('base64')}\n`).join('');
  try {
    const res = await fetch(`${url}/add-checkpoint`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: `old ${asked.oldSize}\n${proof}\n${asked.note}`,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body = await readBody(res);
    return body === null ? fault('answers too much') : answerOf(res, body, asked.note, cosigner);
  } catch (err) {
    return fault(`cannot be reached${reasonOf(err)}`);
  }
}

function answerOf(res: Response, body: string, note: string, cosigner: Cosigner): WitnessAnswer {
  const type = res.headers.get('content-type')?.split(';')[0]?.trim();
  switch (res.status) {
    case 200: {
      const text = splitNote(note)?.text;
      const [cosignature] = text === undefined ? [] : readCosignatures(`${text}\n${body}`, [cosigner]);
      return cosignature === undefined ? fault('answers without a valid cosignature') : { kind: 'cosigned', cosignature };
    }
    case 409: {
      if (type !== SIZE_TYPE) return { kind: 'inconsistent' };
      const size = /^(0|[1-9]\d{0,15})\n?$/.test(body) ? Number(body) : Number.NaN;
      return Number.isSafeInteger(size) ? { kind: 'elsewhere', size } : fault('tells no size');
    }
    case 422:
      return { kind: 'inconsistent' };
    case 403:
      return fault('knows the origin, but not the key that signs');
    case 404:
      return fault('does not know the origin');
    default:
      return fault(`answers ${res.status}`);
  }
}

function fault(text: string): WitnessAnswer {
  return { kind: 'fault', fault: text };
}

/** `null`: it is too long. */
async function readBody(res: Response): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of res.body ?? []) {
    bytes += chunk.length;
    // Leaving the loop cancels the rest.
    if (bytes > BODY_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The code of a socket's or resolver's fault, or that it took too long. */
function reasonOf(err: unknown): string {
  if (!(err instanceof Error)) return '';
  if (err.name === 'TimeoutError') return ' in time';
  const { cause } = err;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? ` (${cause.code})` : '';
}
