import { setTimeout as delay } from 'node:timers/promises';
import type { InstallationStore } from '@sightline/core/installation/installation-store';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Command } from '../command.ts';
import { openInstallation } from '../open-installation.ts';

const LOOKS = 10;
const PAUSE_MS = 200;

/** `sightline media release`. */
export const mediaRelease: Command = {
  options: {},
  operands: [],
  async run(input) {
    await using opened = await openInstallation(input);
    const { installation } = opened;
    const known = await installation.read();
    if (known.media === null) throw new StartError('Images have no place yet.');
    await requireNoServices(installation, input.signal);
    const now = await installation.replace(known, { ...known, media: null });
    if (now.media !== null) throw new StartError('Somebody else changed it just now: try again.');
    const place = known.media.kind === 'bucket' ? known.media.place : 'files in a data folder';
    input.note(
      `The images were ${known.media.kind === 'bucket' ? `in ${place}` : place}. Start the service where they are now.`,
    );
  },
};

/**
 * A service that runs would go on where images were. One that is not connected at the moment is not
 * seen; connections of one that has just ended may take a moment to go.
 *
 * @throws StartError
 */
async function requireNoServices(store: InstallationStore, signal: AbortSignal): Promise<void> {
  let services: readonly string[] = [];
  for (let look = 0; look < LOOKS; look++) {
    services = await store.services(signal);
    if (services.length === 0) return;
    await delay(PAUSE_MS, undefined, { signal });
  }
  throw new StartError(
    `A service works on these rows (connected as ${services.join(', ')}) and would go on keeping images where they were: stop it first. A pooler may keep its connections for a while.`,
  );
}
