// Whether a text warns of the code it shows.

const REACH = 120;
const WARNING =
  /\b(?:never|don['’]?t|do not|avoid|dangerous|malicious|attackers?|instead of|not (?:to )?(?:run|use|execute|type)|should(?: not|n['’]t)|must(?: not|n['’]t)|vulnerable|insecure|unsafe|would (?:delete|wipe|erase|destroy)|will (?:delete|wipe|erase|destroy) (?:all|every|your)|looks? like|such as|bad example|anti-?pattern|what not to do|blocks?|detects?|alerts? on|indicators?)\b|[❌⚠]/iu;

/** True when the same or the previous line, within 120 characters before `start`, warns or speaks of attacks. */
export function isWarnedOf(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - REACH), start);
  const lines = before.split('\n');
  const fence = before.lastIndexOf('```');
  // A fenced block belongs to the sentence that announces it.
  return WARNING.test(fence < 0 ? lines.slice(-2).join('\n') : before);
}
