// The log over all logs: every minute the newest checkpoint of each organization becomes a leaf of it, and witnesses cosign what comes of it. Beside the
// requests, on any number of nodes.

import { isConsistent, leafHash, parseCosigner, type Cosigner } from '@svc/trail';
import { hash, randomBytes } from 'node:crypto';
import type { WitnessAddress } from '../config.ts';
import type { Database, Transaction } from '../storage/database.ts';
import type { Logger } from '../telemetry/log.ts';
import {
  addCosignature,
  admitSetBack,
  claimDeploymentTree,
  claimWitness,
  enlistWitnesses,
  failWitness,
  insertAnchors,
  listUnanchored,
  releaseWitness,
  thinAnchors,
  type Unanchored,
  type WitnessState,
} from './anchor-store.ts';
import { checkEdges } from './edges.ts';
import { writeGrowth } from './extender-store.ts';
import { grownTree } from './growth.ts';
import type { TrailKeys } from './keys.ts';
import { findCheckpoint, proveConsistency, rootAt, type PublishedCheckpoint } from './log-store.ts';
import { DEPLOYMENT_LOG, holdDeployment } from './origin.ts';
import type { RestoredReason } from './restored.ts';
import type { TrailMemory } from './trail-memory.ts';
import { askWitness, type WitnessAnswer } from './witness.ts';

const INTERVAL_MS = 60_000;
// Several nodes share the work, and their minutes do not begin together.
const REST_S = 50;
// A transaction of some tenths of a second.
const LEAVES_MAX = 1_000;
const SALT_BYTES = 16;
const THIN_INTERVAL_MS = 600_000;
/** One that fails is asked again less and less often. */
const WAIT_S_MAX = 900;

export interface AnchorParts {
  readonly db: Database;
  readonly keys: TrailKeys;
  readonly memory: TrailMemory;
  readonly witnesses: readonly WitnessAddress[];
  readonly log: Logger;
  /** Hears that the database does not have what was signed, and under which epoch that was seen. */
  readonly onSetBack: (reason: RestoredReason, seenEpoch: number) => void;
}

interface Witness {
  readonly url: string;
  readonly key: string;
  readonly cosigner: Cosigner;
}

export class Anchor {
  readonly #parts: AnchorParts;
  readonly #witnesses: readonly Witness[];
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();
  #isEnlisted = false;
  /** Keys of those that have said where they stand since the start. */
  readonly #heard = new Set<string>();
  #thinnedAtMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(parts: AnchorParts) {
    this.#parts = parts;
    this.#witnesses = parts.witnesses.map(({ url, verifierKey: key }) => {
      const cosigner = parseCosigner(key);
      if (cosigner === null) throw new RangeError(`not the verifier key of a witness: ${key}`);
      return { url, key, cosigner };
    });
  }

  start(): void {
    this.#timer = setInterval(() => void this.#run(), INTERVAL_MS).unref();
    void this.#run();
  }

  /** Ends after what is under way: at most four questions to a witness. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#running;
  }

  /** Anchors what is new, and asks the witnesses, now; for tests. */
  pass(): Promise<void> {
    return this.#exclusively(() => this.#pass(0));
  }

  async #run(): Promise<void> {
    await this.#exclusively(() => this.#pass(REST_S)).catch((err: unknown) =>
      this.#parts.log.warn({ err }, 'the log of the deployment waits for the database'),
    );
  }

  async #pass(restS: number): Promise<void> {
    if (this.#isClosed) return;
    if (!this.#isEnlisted) {
      await enlistWitnesses(
        this.#parts.db,
        this.#witnesses.map(({ key }) => key),
      );
      this.#isEnlisted = true;
    }
    let count = await this.#append(restS);
    while (count === LEAVES_MAX && !this.#isClosed) count = await this.#append(0);
    // Whatever one does, the others and the log go on.
    await Promise.all(
      this.#witnesses.map((witness) =>
        this.#follow(witness).catch((err: unknown) =>
          this.#parts.log.warn({ err, witness: witness.cosigner.name }, 'a witness could not be asked; it is asked again'),
        ),
      ),
    );
    await this.#thin();
  }

  /** One transaction. Returns how many leaves it appended. */
  async #append(restS: number): Promise<number> {
    const { db, memory } = this.#parts;
    const appended = await db.transaction((tx) => this.#appendIn(tx, restS));
    if (appended === null) return 0;
    const { epoch, size, root, count } = appended;
    memory.remember(DEPLOYMENT_LOG, { epoch, size, root });
    return count;
  }

  /** `null`: nothing is to be done here now. */
  async #appendIn(tx: Transaction, restS: number) {
    const { keys, onSetBack, log } = this.#parts;
    const held = await holdDeployment(tx);
    const { epoch } = held.deployment;
    // Where this is another server the tree extender says so.
    if (!held.isSameServer) return null;
    await keys.follow(tx, held.keys);
    const tree = await claimDeploymentTree(tx, restS);
    if (tree === null) return null;
    const { isSetBack, faults } = await checkEdges(tx, held.deployment, [tree], this.#parts);
    if (isSetBack) onSetBack('behind_what_was_signed', epoch);
    for (const fault of faults.values()) log.error({ size: tree.size, fault }, 'the log of the deployment cannot be extended');
    if (isSetBack || faults.size > 0) return null;
    const leaves = (await listUnanchored(tx, epoch, LEAVES_MAX)).map(leafOf);
    if (leaves.length === 0) return null;
    const grown = grownTree(tree, leaves, held, keys);
    const unfit = await writeGrowth(tx, epoch, [grown]);
    if (unfit.length > 0) throw new Error('the log of the deployment is not as it was read');
    await insertAnchors(tx, epoch, tree.size, leaves);
    return { epoch, size: grown.size, root: grown.root, count: leaves.length };
  }

  /** Brings one witness up to the newest checkpoint. */
  async #follow(witness: Witness): Promise<void> {
    const { db } = this.#parts;
    const checkpoint = await findCheckpoint(db, DEPLOYMENT_LOG);
    // The first time also one that has all there is, as far as the database remembers: it knows if that was set back.
    const isFirst = !this.#heard.has(witness.key);
    const state = checkpoint === null ? null : await claimWitness(db, witness.key, checkpoint, isFirst);
    if (checkpoint === null || state === null || this.#isClosed) return;
    const answer = await this.#ask(witness, state, checkpoint);
    if (answer.kind !== 'fault') this.#heard.add(witness.key);
    switch (answer.kind) {
      case 'cosigned':
        await addCosignature(db, checkpoint, answer.cosignature);
        if (!state.hasCosigned || state.fault !== null)
          this.#parts.log.info({ witness: witness.cosigner.name }, 'a witness cosigns the log of this deployment');
        break;
      case 'elsewhere':
        if (answer.size <= checkpoint.size) await this.#fail(witness, state, 'contradicts itself');
        else if (await this.#hasGoneOn(checkpoint, answer.size)) await releaseWitness(db, witness.key);
        else await this.#believe(witness, state, checkpoint);
        break;
      case 'inconsistent':
        await this.#believe(witness, state, checkpoint);
        break;
      case 'fault':
        await this.#fail(witness, state, answer.fault);
    }
  }

  /** At most two questions: it may say where it stands. */
  async #ask({ url, cosigner }: Witness, { epoch, size }: WitnessState, checkpoint: PublishedCheckpoint): Promise<WitnessAnswer> {
    const remembered = epoch === checkpoint.epoch ? size : 0;
    // The database remembers more of the witness than it has of the log.
    if (remembered > checkpoint.size) return { kind: 'elsewhere', size: remembered };
    const question = async (oldSize: number) => {
      const proof = await proveConsistency(this.#parts.db, DEPLOYMENT_LOG, oldSize, checkpoint.size);
      return askWitness(url, cosigner, { oldSize, proof, note: checkpoint.note });
    };
    const answer = await question(remembered);
    if (answer.kind !== 'elsewhere' || answer.size > checkpoint.size) return this.#weigh(answer, remembered, checkpoint);
    return this.#weigh(await question(answer.size), answer.size, checkpoint);
  }

  /** What a witness calls inconsistent is so only where our proof holds in itself: else it is our tiles that are broken. */
  async #weigh(answer: WitnessAnswer, oldSize: number, { size, root }: PublishedCheckpoint): Promise<WitnessAnswer> {
    if (answer.kind !== 'inconsistent') return answer;
    if (oldSize === 0) return { kind: 'fault', fault: 'refuses the first checkpoint' };
    const { db } = this.#parts;
    const oldRoot = await rootAt(db, DEPLOYMENT_LOG, oldSize);
    const proof = await proveConsistency(db, DEPLOYMENT_LOG, oldSize, size);
    return isConsistent(oldSize, oldRoot, size, root, proof)
      ? answer
      : { kind: 'fault', fault: 'was given a proof from broken tiles' };
  }

  /** Whether another node has extended the log meanwhile, and asked. */
  async #hasGoneOn({ epoch }: PublishedCheckpoint, size: number): Promise<boolean> {
    const newest = await findCheckpoint(this.#parts.db, DEPLOYMENT_LOG);
    return newest === null || newest.epoch !== epoch || newest.size >= size;
  }

  /**
   * It has seen another log than there is. That is taken for a database that was set back where it says so twice, but not again and again: then it would
   * rather be the witness that errs.
   */
  async #believe(witness: Witness, state: WitnessState, checkpoint: PublishedCheckpoint): Promise<void> {
    const { db, log, onSetBack } = this.#parts;
    const again = await this.#ask(witness, state, checkpoint);
    const isSure = again.kind === 'inconsistent' || (again.kind === 'elsewhere' && again.size > checkpoint.size);
    if (isSure && (await admitSetBack(db, witness.key))) {
      const { name } = witness.cosigner;
      log.error({ witness: name }, 'a witness has seen another log: all logs go on under a new origin. Was a backup restored?');
      onSetBack('behind_witness', checkpoint.epoch);
    }
    await this.#fail(witness, state, 'has seen another log');
  }

  async #fail({ key, cosigner: { name } }: Witness, { failures, fault: before }: WitnessState, fault: string): Promise<void> {
    // Passes are not to the second: a wait of two minutes is over before the second one.
    const waitS = Math.min(WAIT_S_MAX, 60 * 2 ** failures) - (60 - REST_S);
    // The first time it is asked again with the next pass, whenever that is.
    await failWitness(this.#parts.db, key, fault, failures === 0 ? 0 : waitS);
    if (fault !== before) this.#parts.log.warn({ witness: name, fault }, 'a witness does not cosign; it is asked again');
  }

  async #thin(): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - this.#thinnedAtMs < THIN_INTERVAL_MS) return;
    await thinAnchors(this.#parts.db);
    this.#thinnedAtMs = nowMs;
  }

  /** One after another. */
  #exclusively(work: () => Promise<void>): Promise<void> {
    const result = this.#running.then(work);
    this.#running = result.catch(() => {});
    return result;
  }
}

/** The salt keeps who has not got it from guessing which checkpoint it is. */
function leafOf(unanchored: Unanchored) {
  const salt = randomBytes(SALT_BYTES);
  const leaf = hash('sha256', Buffer.concat([salt, Buffer.from(unanchored.note)]), 'buffer');
  return { ...unanchored, salt, hash: leafHash(leaf) };
}
