import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Command } from '../command.ts';
import { openInstallation } from '../open-installation.ts';

/** `sightline media release`. */
export const mediaRelease: Command = {
  name: 'media release',
  usage: '',
  summary:
    'Forgets where images are, once they were copied elsewhere: the next start takes that place.',
  options: {},
  operands: [],
  async run(input) {
    await using opened = await openInstallation(input);
    const { installation } = opened;
    const known = await installation.read();
    if (known.media === null) throw new StartError('Images have no place yet.');
    const now = await installation.replace(known, { ...known, media: null });
    if (now.media !== null) throw new StartError('Somebody else changed it just now: try again.');
    const place = known.media.kind === 'bucket' ? known.media.place : 'files in a data folder';
    input.note(
      `The images were ${known.media.kind === 'bucket' ? `in ${place}` : place}. Start the service where they are now.`,
    );
  },
};
