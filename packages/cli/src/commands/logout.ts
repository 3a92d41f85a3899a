// `svc logout`: forgets a key. The key itself goes on to work; `svc keys revoke` ends it.

import type { Command } from '../command.ts';
import { EXIT } from '../faults.ts';
import { changeProfiles, noProfile, profilesPath, type SavedProfile } from '../profiles.ts';

const logout: Command = {
  words: ['logout'],
  summary: 'Forget the key of a profile',
  description: 'The profile in use, or the one that --profile names. The key goes on to work: svc keys revoke ends it.',
  examples: ['svc logout', 'svc logout --profile staging'],
  async run({ profile, env, output }) {
    let forgotten: SavedProfile | undefined;
    await changeProfiles(profilesPath(env), (file) => {
      if (!Object.hasOwn(file.profiles, profile.name)) throw noProfile(profile.name, file);
      const { [profile.name]: left, ...kept } = file.profiles;
      forgotten = left;
      return { current: file.current === profile.name ? null : file.current, profiles: kept };
    });
    output.answer({ profile: profile.name, key_id: forgotten!.key_id }, () => {
      output.line(
        `The key of the profile ${profile.name} is forgotten here. It goes on to work; to end it: svc keys revoke ${forgotten!.key_id}`,
      );
    });
    return EXIT.done;
  },
};

export const commands: readonly Command[] = [logout];
