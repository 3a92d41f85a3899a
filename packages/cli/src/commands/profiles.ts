// `svc profiles`: services and keys by name.

import type { Command } from '../command.ts';
import { EXIT } from '../faults.ts';
import { toned, type Column } from '../output.ts';
import { changeProfiles, noProfile, profilesPath, readProfiles, type SavedProfile } from '../profiles.ts';

interface Row {
  readonly name: string;
  readonly isCurrent: boolean;
  readonly saved: SavedProfile;
}

const COLUMNS: readonly Column<Row>[] = [
  { name: '', importance: 10, cell: ({ isCurrent }) => (isCurrent ? toned('good', '*') : '') },
  { name: 'NAME', importance: 9, cell: ({ name }) => name },
  { name: 'SERVICE', importance: 8, widthMin: 20, cell: ({ saved }) => saved.base_url },
  { name: 'ORGANIZATION', importance: 7, widthMin: 12, cell: ({ saved }) => saved.org_name },
  { name: 'MODE', importance: 6, cell: ({ saved }) => saved.mode },
  { name: 'ORG ID', importance: 2, cell: ({ saved }) => saved.org_id },
];

const list: Command = {
  words: ['profiles', 'list'],
  summary: 'List profiles; the one in use has a star',
  examples: ['svc profiles list'],
  isOffline: true,
  async run({ env, output }) {
    const { current, profiles } = await readProfiles(profilesPath(env));
    const rows = Object.entries(profiles).map(([name, saved]) => ({ name, isCurrent: name === current, saved }));
    if (output.isJson) {
      const data = rows.map(({ name, isCurrent, saved: { base_url, org_id, org_name, key_id, mode } }) => ({
        name,
        is_current: isCurrent,
        base_url,
        org_id,
        org_name,
        key_id,
        mode,
      }));
      output.json({ data, next_cursor: null });
    } else {
      output.list({ data: rows, next_cursor: null }, COLUMNS, 'There is no profile yet. Sign in with svc login.');
    }
    return EXIT.done;
  },
};

const use: Command = {
  words: ['profiles', 'use'],
  summary: 'Choose the profile that is used when none is named',
  positionals: [{ name: 'profile' }],
  examples: ['svc profiles use staging'],
  isOffline: true,
  async run({ env, positionals, output }) {
    const path = profilesPath(env);
    const name = positionals['profile']!;
    let chosen: SavedProfile | undefined;
    await changeProfiles(path, (file) => {
      if (!Object.hasOwn(file.profiles, name)) throw noProfile(name, file);
      chosen = file.profiles[name];
      return { ...file, current: name };
    });
    const { base_url, org_name } = chosen!;
    output.answer({ profile: name, base_url }, () => output.line(`In use: ${name}, ${org_name} at ${base_url}.`));
    return EXIT.done;
  },
};

export const commands: readonly Command[] = [list, use];
