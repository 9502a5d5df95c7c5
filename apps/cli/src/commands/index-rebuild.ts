import { setTimeout as sleep } from 'node:timers/promises';
import type { IndexReader, IndexStatusStore } from '@sightline/core/vectors/index-status';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Command, CommandInput } from '../command.ts';
import { openInstallation } from '../open-installation.ts';

const LOOK_MS = 1_000;
/** A worker looks every 5 s, and takes over from one that was killed within 25 s. */
const PATIENCE_MS = 40_000;

/** `sightline index rebuild`: whoever keeps an index makes it anew, and it answers meanwhile. */
export const indexRebuild: Command = {
  options: { wait: { type: 'boolean', default: false } },
  operands: [],
  async run(input) {
    await using installation = await openInstallation(input);
    const { indexStatus } = installation;
    const asked = await indexStatus.requestRebuild();
    if (asked === 0) {
      throw new StartError('No process keeps an index: one is filled at its start.');
    }
    if (input.options.wait === true) await untilRebuilt(indexStatus, input);
    else input.note('Asked for. `sightline index status` shows how far it is.');
  },
};

/** Tells how far it is; readers that are gone meanwhile are not waited for. */
async function untilRebuilt(
  indexStatus: IndexStatusStore,
  { print, note, signal }: Pick<CommandInput, 'print' | 'note' | 'signal'>,
): Promise<void> {
  let told = '';
  let giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    const readers = await indexStatus.readers(signal);
    const open = readers.filter(({ state }) => state !== 'filled');
    if (open.length === 0) break;
    const progress = open.map(progressOf).join('; ');
    // A worker that fills an index is seen every few seconds, however slowly its points come.
    if (progress !== told || open.some(isBeingFilled)) giveUpAt = performance.now() + PATIENCE_MS;
    if (progress !== told) note(progress);
    told = progress;
    if (performance.now() > giveUpAt) {
      // A process that was killed beside others is forgotten only after a while.
      if (open.length < readers.length && !open.some(isSeen)) break;
      throw new StartError(
        'No worker has taken it up: it is done as soon as one runs and its index answers.',
      );
    }
    await sleep(LOOK_MS, undefined, { signal });
  }
  print('The index is made anew.');
}

function progressOf({ name, filling }: IndexReader): string {
  return filling === null ? `${name}: waits for a worker` : `${name}: ${filling} points so far`;
}

function isBeingFilled(reader: IndexReader): boolean {
  return reader.filling !== null && isSeen(reader);
}

/** By the clocks of the database and of this machine, which may differ by less than that. */
function isSeen({ lastSeenAt }: IndexReader): boolean {
  return Date.now() - lastSeenAt.getTime() < PATIENCE_MS;
}
