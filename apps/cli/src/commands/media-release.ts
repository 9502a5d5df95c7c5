import { setTimeout as delay } from 'node:timers/promises';
import type { InstallationStore } from '@sightline/core/installation/installation-store';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Command } from '../command.ts';
import { openInstallation } from '../open-installation.ts';

const CHECKS = 10;
const PAUSE_MS = 200;
/**
 * The processes that the check cannot see: one without a connection at this moment, and one that an orchestrator is about
 * to start.
 */
const WRITERS =
  'API processes, workers and services of one process write images. Stop all of them, also those that were not connected, and what starts them again: in Kubernetes scale the Deployments of the API and the worker to 0, and remove the autoscaler of the API.';

export const mediaRelease: Command = {
  options: {},
  operands: [],
  async run(input) {
    await using opened = await openInstallation(input);
    const { installation } = opened;
    const known = await installation.read();
    if (known.media === null)
      throw new StartError(
        'The database names no location of images yet, so there is nothing to release.',
      );
    await requireNoServices(installation, input.signal);
    const now = await installation.replace(known, { ...known, media: null });
    if (now.media !== null)
      throw new StartError(
        'Another process has just changed the location of the images: try again.',
      );
    const location =
      known.media.kind === 'bucket' ? known.media.location : 'files in a data folder';
    input.note(
      `The images were ${known.media.kind === 'bucket' ? `in ${location}` : location}. Start the service with their new location.`,
    );
    input.note(
      `Nothing may start with the old location, which would become the location again. ${WRITERS}`,
    );
  },
};

/**
 * Checks that no service is connected to the database, because a running service would keep using the old location.
 * The check is repeated, because the connections of a service that has just ended close with a delay.
 *
 * @throws StartError if a service is connected
 */
async function requireNoServices(store: InstallationStore, signal: AbortSignal): Promise<void> {
  let services: readonly string[] = [];
  for (let check = 0; check < CHECKS; check++) {
    services = await store.services(signal);
    if (services.length === 0) return;
    await delay(PAUSE_MS, undefined, { signal });
  }
  throw new StartError(
    `A service uses this database (connected as ${services.join(', ')}) and would continue to store images in the old location: stop it first. ${WRITERS} A pooler may keep its connections for a while.`,
  );
}
