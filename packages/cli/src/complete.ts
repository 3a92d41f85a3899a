// What could follow on the command line. The scripts of the shells ask `svc __complete -- <words>`, so that they are never out of step with the
// table.

import { findCommand, GLOBAL_OPTIONS, type Group } from './arguments.ts';
import type { Command, Option } from './command.ts';
import { profilesPath, readProfiles, type Environment } from './profiles.ts';
import { harmless } from './text.ts';

/**
 * Lines `<value>\t<meaning>` that could take the place of the last of `words` (those after `svc`; the last one is being typed and may be empty).
 * Empty: a file name, or nothing is known.
 */
export async function candidates(groups: readonly Group[], words: readonly string[], env: Environment): Promise<string[]> {
  const typed = (words[0] === '--' ? words.slice(1) : words).map((word) => word);
  const last = typed.pop() ?? '';
  const all = await possible(groups, typed, last, env);
  return all.filter(([value]) => value.startsWith(last)).map(([value, meaning]) => `${value}\t${harmless(meaning)}`);
}

type Candidate = readonly [value: string, meaning: string];

async function possible(
  groups: readonly Group[],
  before: readonly string[],
  last: string,
  env: Environment,
): Promise<Candidate[]> {
  if (before.includes('--')) return [];
  const words = before.filter((word, i) => !word.startsWith('-') && !['--profile', '--base-url'].includes(before[i - 1] ?? ''));
  const group = groups.find(({ word }) => word === words[0]);
  const commands = group === undefined ? [] : await group.load();
  const found = group === undefined ? null : foundOrNull(group, commands, before);
  const options: Readonly<Record<string, Option>> = { ...GLOBAL_OPTIONS, ...found?.options };

  const awaited = optionBefore(options, before.at(-1));
  if (awaited !== null) return valuesOf(awaited.name, awaited.option, env);
  const assigned = /^--([a-z0-9-]+)=/.exec(last);
  if (assigned !== null) {
    const option = options[assigned[1]!];
    const values = option === undefined ? [] : await valuesOf(assigned[1]!, option, env);
    return values.map(([value, meaning]) => [`--${assigned[1]}=${value}`, meaning]);
  }
  if (last.startsWith('-')) return Object.entries(options).map(([name, { meaning }]) => [`--${name}`, meaning]);
  if (words.length === 0) return [...groups.map(({ word, summary }): Candidate => [word, summary]), ['help', 'How svc is used']];
  if (words[0] === 'help' && words.length === 1) return groups.map(({ word, summary }) => [word, summary]);
  const next = nextWords(commands, words);
  return next.length > 0 ? next : profilesWhere(found, env);
}

function foundOrNull(group: Group, commands: readonly Command[], args: readonly string[]): Command | null {
  try {
    return findCommand(group, commands, args)?.command ?? null;
  } catch {
    return null;
  }
}

/** The option whose value is being typed. */
function optionBefore(
  options: Readonly<Record<string, Option>>,
  word: string | undefined,
): { name: string; option: Option } | null {
  if (word === undefined || !word.startsWith('-') || word.includes('=')) return null;
  const found = Object.entries(options).find(([name, { short }]) => word === `--${name}` || word === `-${short}`);
  return found === undefined || found[1].kind === 'flag' ? null : { name: found[0], option: found[1] };
}

async function valuesOf(name: string, { choices, meaning }: Option, env: Environment): Promise<Candidate[]> {
  if (name === 'profile') return profileNames(env);
  return (choices ?? []).map((choice) => [choice, meaning]);
}

/** The words that commands go on with after `words`. */
function nextWords(commands: readonly Command[], words: readonly string[]): Candidate[] {
  const next = new Map<string, string>();
  for (const { words: own, summary } of commands) {
    const word = own[words.length];
    if (word === undefined || !words.every((typed, i) => own[i] === typed)) continue;
    next.set(word, own.length === words.length + 1 ? summary : (next.get(word) ?? ''));
  }
  return [...next];
}

/** The names of profiles, for commands that are about one. */
function profilesWhere(command: Command | null, env: Environment): Promise<Candidate[]> {
  return command?.positionals?.[0]?.name === 'profile' ? profileNames(env) : Promise.resolve([]);
}

async function profileNames(env: Environment): Promise<Candidate[]> {
  try {
    const { profiles } = await readProfiles(profilesPath(env));
    return Object.entries(profiles).map(([name, { base_url }]) => [name, base_url]);
  } catch {
    return [];
  }
}
