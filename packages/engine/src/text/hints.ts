// Literals that betray an encoding. The survey finds them on the way, so texts without any cost nothing.

/** Encodings that are read when one of their literals occurs. Base64 and plain hexadecimal are found by their length instead. */
export type HintedLayer = 'percent' | 'html_entities' | 'escapes' | 'rot13' | 'reversed' | 'binary' | 'hex_pairs' | 'morse';

const LITERALS: Record<HintedLayer, readonly string[]> = {
  percent: ['%2', '%4', '%5', '%6', '%7'],
  html_entities: ['&#'],
  escapes: ['\\u00', '\\u{', '\\x'],
  // Words of attacks, letters moved by 13 places: instruction, ignore, prompt, previous, system, disregard, forget, password.
  rot13: ['vafgehpgvba', 'vtaber', 'cebzcg', 'cerivbhf', 'flfgrz', 'qvfertneq', 'sbetrg', 'cnffjbeq'],
  reversed: ['snoitcurtsni', 'erongi', 'tpmorp', 'suoiverp', 'drager', 'drowssap'],
  binary: ['0110', '0111'],
  hex_pairs: ['6e ', '6f '],
  morse: ['.-. ', '-.- ', '--. ', '-.. '],
};

/** Every literal with the layer it speaks for. */
export const HINTS: readonly { readonly literal: string; readonly layer: HintedLayer }[] = Object.entries(LITERALS).flatMap(
  ([layer, literals]) => literals.map((literal) => ({ literal, layer: layer as HintedLayer })),
);
