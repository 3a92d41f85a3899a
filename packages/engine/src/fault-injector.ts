// Breaks detectors on order, for tests: a text that holds an order such as `fault:pii:throws` makes that detector fail on it.

import { BUILT_IN, createRegistry, type Registry } from './detectors/index.ts';
import { compilePolicy, type CompiledPolicy } from './policy/compile.ts';
import type { PolicyDocument } from './policy/document.ts';
import type { AnyDetector, Candidate, Detector, WholeDetector } from './types.ts';

/** What a detector can do wrong while it stays in its thread: the engine itself has to cope. */
export const FAULTS = [
  'throws',
  'throws-late',
  'throws-nothing',
  'endless',
  'before-text',
  'behind-text',
  'nowhere',
  'backwards',
] as const;
/** What ends the thread, or has to be ended with it: the worker pool has to cope. */
export const THREAD_FAULTS = ['hangs', 'exits', 'fills-memory'] as const;

export type Fault = (typeof FAULTS)[number] | (typeof THREAD_FAULTS)[number];

/** The words that, in a text, make the detector `id` fail on it. */
export function orderOf(id: string, fault: Fault): string {
  return `fault:${id}:${fault}`;
}

const ORDER = /fault:([a-z_]+):([a-z-]+)/;
const injected = new WeakSet<AnyDetector>();

let registry: Registry | null = null;

/** Compiles a policy over the built-in detectors, each of which obeys such orders and else does its work. */
export function compileFaultyPolicy(document: PolicyDocument, version: number): CompiledPolicy {
  registry ??= createRegistry(BUILT_IN.detectors.map(withFaults));
  const policy = compilePolicy(document, version, registry);
  // Detectors with settings of their own are made anew by the compiler, so those are wrapped here.
  const detectors = policy.detectors.map((owner) =>
    injected.has(owner.detector) ? owner : { ...owner, detector: withFaults(owner.detector) },
  );
  return { ...policy, detectors };
}

function withFaults(detector: AnyDetector): AnyDetector {
  const faulty = 'compare' in detector ? faultyWhole(detector) : faultyReader(detector);
  injected.add(faulty);
  return faulty;
}

function faultyReader(detector: Detector): Detector {
  return {
    ...detector,
    // The visible view is the one that every text has.
    reads: [...new Set([...detector.reads, 'visible' as const])],
    detect(view, hits, ctx) {
      const fault = faultIn(ctx.part.text, detector.id);
      if (fault !== null) fail(fault, view.text.length, ctx.report, ctx.expired);
      else if (detector.reads.includes(view.kind)) detector.detect(view, hits, ctx);
    },
  };
}

function faultyWhole(detector: WholeDetector): WholeDetector {
  return {
    ...detector,
    compare(parts, ctx) {
      parts.forEach(({ text }, i) => {
        const fault = faultIn(text, detector.id);
        if (fault !== null) fail(fault, text.length, (candidate) => ctx.report(i, candidate), ctx.expired);
      });
      detector.compare(parts, ctx);
    },
  };
}

function faultIn(text: string, id: string): Fault | null {
  const [, name, fault] = ORDER.exec(text) ?? [];
  return name === id ? (fault as Fault) : null;
}

/** Stands in every message that is thrown: no answer may hold it. */
export const SECRET_OF_FAULT = 'quoted-by-an-exception';

function fail(fault: Fault, length: number, report: (candidate: Candidate) => void, expired: () => boolean): void {
  switch (fault) {
    case 'throws-late':
      report(candidateAt(0, 1));
      throw new Error(`${SECRET_OF_FAULT} thrown after reporting`);
    case 'throws':
      throw new Error(`${SECRET_OF_FAULT} thrown at once`);
    case 'throws-nothing':
      // oxlint-disable-next-line typescript/only-throw-error -- what a broken detector may do.
      throw undefined;
    case 'endless':
      while (!expired());
      return;
    case 'before-text':
      return report(candidateAt(-1, 1));
    case 'behind-text':
      return report(candidateAt(0, length + 1));
    case 'backwards':
      return report(candidateAt(1, 0));
    case 'nowhere':
      return report(candidateAt(Number.NaN, Number.NaN));
    case 'hangs':
      for (;;);
    case 'exits':
      return process.exit(1);
    case 'fills-memory':
      return fillMemory();
  }
}

function candidateAt(start: number, end: number): Candidate {
  const category = 'policy.fault';
  return {
    category,
    type: 'fault',
    start,
    end,
    score: 1,
    severity: 'critical',
    method: 'heuristic',
    explanation: 'Wrong.',
    preview: null,
  };
}

/** Little by little: one huge allocation beyond the bound of a thread ends the whole process, as Node documents. */
function fillMemory(): never {
  const kept: object[] = [];
  for (;;) kept.push({ number: kept.length, text: `${kept.length}` });
}
