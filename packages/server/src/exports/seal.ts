// The pass over all that was written for a bundle, for its digests: those of the files, and that of the zip.

import { createHash } from 'node:crypto';
import { createInflateRaw, crc32, type InflateRaw } from 'node:zlib';
import { formatId } from '../ids.ts';
import type { Queryable } from '../storage/database.ts';
import { emptyFile, MANIFEST, manifestText, readZip, zipFileOf } from './bundle.ts';
import { listExportFiles, type Export, type ExportFile, type ExportRange } from './store.ts';
import { layOutZip } from './zip.ts';

export interface SealedBundle {
  readonly manifest: Buffer;
  readonly manifestFile: ExportFile;
  readonly zip: { readonly bytes: number; readonly sha256: Buffer };
}

const INFLATED_BYTES = 65_536;

/**
 * Reads a bundle from its first byte to the last, and stops after each chunk, so that other exports may have their turns in between. Yields a file
 * once its digest is known, else `null`. A digest that is known already is not made again; that of the zip begins anew with each pass. Throws when
 * the bytes are not those that were written.
 */
export async function* sealing(
  db: Queryable,
  made: Export & { readonly range: ExportRange },
): AsyncGenerator<ExportFile | null, SealedBundle> {
  const files = await listExportFiles(db, made);
  const withoutManifest = layOutZip(files.map(zipFileOf), made.createdAtMs);
  const zipHash = createHash('sha256');
  const sealed: ExportFile[] = [];
  let at = 0;
  for (const file of files) {
    const content = withoutManifest.segments.find((segment) => 'content' in segment && segment.content.name === file.name);
    const digest = file.sha256 === null ? new UnpackedDigest(file.isDeflated) : null;
    if (content !== undefined) {
      for await (const header of readZip(db, made, withoutManifest, at, content.start)) zipHash.update(header);
      at = content.start + content.length;
      for await (const packed of readZip(db, made, withoutManifest, content.start, at)) {
        zipHash.update(packed);
        await digest?.add(packed);
        yield null;
      }
    }
    if (digest === null) sealed.push(file);
    else {
      const sha256 = await digest.end();
      if (digest.bytes !== file.bytes) throw new Error(`${file.name} has ${digest.bytes} bytes, and should have ${file.bytes}`);
      sealed.push({ ...file, sha256 });
      yield sealed.at(-1)!;
    }
  }
  const manifest = Buffer.from(manifestText(made, formatId('org', made.orgId), sealed));
  const manifestFile: ExportFile = {
    ...emptyFile(MANIFEST),
    bytes: manifest.length,
    packedBytes: manifest.length,
    crc32: crc32(manifest),
    sha256: createHash('sha256').update(manifest).digest(),
  };
  const layout = layOutZip([...sealed, manifestFile].map(zipFileOf), made.createdAtMs);
  for (const segment of layout.segments)
    if (segment.start + segment.length > at) zipHash.update('bytes' in segment ? segment.bytes : manifest);
  return { manifest, manifestFile, zip: { bytes: layout.bytes, sha256: zipHash.digest() } };
}

/** The SHA-256 of what a file unpacks to. */
class UnpackedDigest {
  bytes = 0;
  readonly #hash = createHash('sha256');
  readonly #inflate: InflateRaw | null;
  #fail: (err: Error) => void = () => {};

  constructor(isDeflated: boolean) {
    this.#inflate = isDeflated ? createInflateRaw({ chunkSize: INFLATED_BYTES }) : null;
    this.#inflate?.on('data', (unpacked: Buffer) => this.#take(unpacked));
    this.#inflate?.on('error', (err) => this.#fail(err));
  }

  #take(unpacked: Buffer): void {
    this.#hash.update(unpacked);
    this.bytes += unpacked.length;
  }

  /** Resolves when they are unpacked. */
  async add(packed: Buffer): Promise<void> {
    const inflate = this.#inflate;
    if (inflate === null) return this.#take(packed);
    await new Promise<void>((resolve, reject) => {
      this.#fail = reject;
      inflate.write(packed, () => resolve());
    });
  }

  async end(): Promise<Buffer> {
    const inflate = this.#inflate;
    if (inflate !== null)
      await new Promise<void>((resolve, reject) => {
        this.#fail = reject;
        inflate.once('end', resolve).end();
      });
    return this.#hash.digest();
  }
}
