import type { OperationBody } from '../client/operations.ts';
import { pause } from '../client/pause.ts';

type Changes = Pick<OperationBody<'listChanges'>, 'next_cursor' | 'has_more'>;

export interface FollowOptions {
  /** Reads the changes after an id, and waits some seconds for the first one. `latest` only returns the last id. */
  readonly read: (since: number | 'latest', signal: AbortSignal) => Promise<Changes>;
  /** The id of the last change that is known; null if none is. */
  readonly since: number | null;
  /** Called with the id of the last change whenever there are further ones. */
  readonly onChanged: (last: number) => void;
  readonly signal: AbortSignal;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly now?: () => number;
}

/** The pause after changes, in which further ones gather, in ms. */
const GATHER_MS = 500;
/** An answer without changes that arrives earlier has not waited, because too many requests wait already. */
const SHORT_WAIT_MS = 3_000;
const LONGEST_PAUSE_MS = 30_000;

/** Follows the change feed until the signal is aborted. */
export async function followChanges(options: FollowOptions): Promise<void> {
  const { signal, wait = pause } = options;
  let last = options.since;
  let failures = 0;
  while (!signal.aborted) {
    try {
      const step = await readOn(last, options);
      failures = 0;
      if (last !== null && step.last !== last) options.onChanged(step.last);
      last = step.last;
      await wait(step.pause, signal);
    } catch {
      failures += 1;
      await wait(Math.min(1_000 * 2 ** failures, LONGEST_PAUSE_MS), signal);
    }
  }
}

/** Returns the id of the last change, and the pause before the next reading. */
async function readOn(
  last: number | null,
  { read, signal, now = () => performance.now() }: FollowOptions,
): Promise<{ readonly last: number; readonly pause: number }> {
  if (last === null) return { last: (await read('latest', signal)).next_cursor, pause: 0 };
  const begun = now();
  const { next_cursor: next, has_more: hasMore } = await read(last, signal);
  if (next === last) return { last, pause: Math.max(0, SHORT_WAIT_MS - (now() - begun)) };
  // The pages read everything again, so the changes between need not be known.
  const reached = hasMore ? (await read('latest', signal)).next_cursor : next;
  return { last: reached, pause: GATHER_MS };
}
