// `svc logout`: forgets a key. The key itself goes on to work; `svc keys revoke` ends it.

import type { Command } from '../command.ts';
import { CommandError, EXIT } from '../faults.ts';
import { profilesPath, readProfiles, writeProfiles } from '../profiles.ts';

const logout: Command = {
  words: ['logout'],
  summary: 'Forget the key of a profile',
  description: 'The profile in use, or the one that --profile names. The key goes on to work: svc keys revoke ends it.',
  examples: ['svc logout', 'svc logout --profile staging'],
  async run({ profile, env, output }) {
    const path = profilesPath(env);
    const { current, profiles } = await readProfiles(path);
    if (!Object.hasOwn(profiles, profile.name))
      throw new CommandError(`There is no profile '${profile.name}'. Nothing was done.`);
    const { [profile.name]: forgotten, ...kept } = profiles;
    await writeProfiles(path, { current: current === profile.name ? null : current, profiles: kept });
    output.answer({ profile: profile.name, key_id: forgotten!.key_id }, () => {
      output.line(
        `The key of the profile ${profile.name} is forgotten here. It goes on to work; to end it: svc keys revoke ${forgotten!.key_id}`,
      );
    });
    return EXIT.done;
  },
};

export const commands: readonly Command[] = [logout];
