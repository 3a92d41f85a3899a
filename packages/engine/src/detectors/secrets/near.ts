// What the scan has seen just before a place: vendors named, names read, tokens refused.

import type { Rule } from './rule.ts';

/** Written by probes as the scan goes on, read by later ones. Starts anew with each view. */
export interface Near {
  vendor: string | null;
  /** Offset just after the vendor's name. */
  vendorEnd: number;
  /** Offset up to which names have been read: an anchor inside a name that was read says nothing new. */
  nameEnd: number;
  /** Offset up to which the search for the end of a PuTTY key file has been made. */
  puttyEnd: number;
  /** The rule whose pattern last matched without a credible token, and where that match ended. */
  refused: { readonly rule: Rule | null; readonly end: number };
}

/** Nothing seen yet. */
export function nothingNear(): Near {
  return { vendor: null, vendorEnd: 0, nameEnd: 0, puttyEnd: 0, refused: { rule: null, end: 0 } };
}
