import { setTimeout as sleep } from 'node:timers/promises';
import type { IndexReader, IndexStatusStore } from '@sightline/core/vectors/index-status';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Command, CommandInput } from '../command.ts';
import { NO_INDEX } from '../no-index.ts';
import { openInstallation } from '../open-installation.ts';

const POLL_MS = 1_000;
/**
 * The timeout for the start of a rebuild. A worker checks for requests every 5 s, and takes over from a killed worker
 * within 25 s.
 */
const WORKER_MS = 40_000;

/**
 * `sightline index rebuild`: asks the worker to rebuild the indexes. The old index serves until the rebuild is
 * complete.
 */
export const indexRebuild = indexRebuildWithin(WORKER_MS);

/** @param workerMs the timeout for the start of a rebuild, in ms */
export function indexRebuildWithin(workerMs: number): Command {
  return {
    options: { wait: { type: 'boolean', default: false } },
    operands: [],
    async run(input) {
      await using installation = await openInstallation(input);
      const { indexStatus } = installation;
      const requested = await indexStatus.requestRebuild();
      if (requested === 0) throw new StartError(NO_INDEX);
      if (input.options.wait === true) await untilRebuilt(indexStatus, { ...input, workerMs });
      else input.note('Requested. `sightline index status` shows the progress.');
    },
  };
}

interface Waiting extends Pick<CommandInput, 'print' | 'note' | 'signal'> {
  readonly workerMs: number;
}

/**
 * Waits for the rebuild and reports its progress. Does not wait any longer for the index of a process that disappears
 * during the rebuild.
 */
async function untilRebuilt(
  indexStatus: IndexStatusStore,
  { print, note, signal, workerMs }: Waiting,
): Promise<void> {
  const isSeen = ({ unseenSeconds }: IndexReader): boolean => unseenSeconds * 1_000 < workerMs;
  const isBeingFilled = (reader: IndexReader): boolean => reader.filling !== null && isSeen(reader);
  let reported = '';
  let giveUpAt = performance.now() + workerMs;
  for (;;) {
    const readers = await indexStatus.readers(signal);
    const open = readers.filter(({ state }) => state !== 'filled');
    if (open.length === 0) break;
    const progress = open.map(progressOf).join('; ');
    // The wait goes on while a worker fills an index, even if the filling is slow. During the filling, the worker
    // updates the reader's row every few seconds.
    if (progress !== reported || open.some(isBeingFilled)) giveUpAt = performance.now() + workerMs;
    if (progress !== reported) note(progress);
    reported = progress;
    if (performance.now() > giveUpAt) {
      // If only indexes of disappeared processes are left, the wait ends with success and not with an error. The rows
      // of these indexes stay for up to a minute after their processes have ended.
      if (open.length < readers.length && !open.some(isSeen)) break;
      throw new StartError(
        'No worker has started the rebuild yet. It starts when a worker is running and its vector index is available.',
      );
    }
    await sleep(POLL_MS, undefined, { signal });
  }
  print('The index is rebuilt.');
}

function progressOf({ name, filling }: IndexReader): string {
  return filling === null ? `${name}: waits for a worker` : `${name}: ${filling} points so far`;
}
