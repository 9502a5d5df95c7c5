import { ProblemError } from '../client/api-error.ts';
import type { OperationBody, OperationInput } from '../client/operations.ts';
import { pause } from '../client/pause.ts';

export type Changes = OperationBody<'listChanges'>;
export type Change = Changes['changes'][number];
export type ChangesQuery = NonNullable<OperationInput<'listChanges'>['query']>;

export interface FollowOptions {
  readonly read: (query: ChangesQuery, signal: AbortSignal) => Promise<Changes>;
  /** Returns the id after which to read. Called with the latest id at the start, after a failure, and when behind. */
  readonly begin: (latest: number) => number;
  readonly onChanges: (answer: Changes) => void;
  /** Called after each failure. Returns whether to read again after a pause. */
  readonly onFailure: (error: Error) => boolean;
  readonly signal: AbortSignal;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly now?: () => number;
}

/** The longest time that the service holds an answer, in seconds. */
const WAIT_SECONDS = 25;
/** The most changes of an answer. */
const LIMIT = 200;
/** The pause after changes, in which further ones gather, in ms. */
const GATHER_MS = 500;
/** An answer without changes that arrives earlier has not waited, because too many requests wait already. */
const SHORT_WAIT_MS = 3_000;
const LONGEST_PAUSE_MS = 30_000;

/** Follows the change feed until the signal is aborted, or until a failure ends it. */
export async function followChanges(options: FollowOptions): Promise<void> {
  const { signal, onFailure, wait = pause } = options;
  let since: number | null = null;
  let failures = 0;
  while (!signal.aborted) {
    try {
      const step: Step = await readOn(since, options);
      failures = 0;
      since = step.since;
      await wait(step.pause, signal);
    } catch (error) {
      if (isOver(signal) || !onFailure(error as Error)) return;
      since = null;
      await wait(pauseAfter(error, failures++), signal);
    }
  }
}

interface Step {
  /** The id after which to read; null if the next step asks for the latest one first. */
  readonly since: number | null;
  /** The pause before the next step, in ms. */
  readonly pause: number;
}

async function readOn(since: number | null, options: FollowOptions): Promise<Step> {
  const { read, begin, onChanges, signal, now = () => performance.now() } = options;
  if (since === null) {
    const { next_cursor: latest } = await read({ since: 'latest' }, signal);
    return { since: isOver(signal) ? null : begin(latest), pause: 0 };
  }
  const begun = now();
  const answer = await read({ since, wait: WAIT_SECONDS, limit: LIMIT }, signal);
  const { changes, has_more: isBehind, next_cursor: next } = answer;
  if (isOver(signal)) return { since, pause: 0 };
  if (changes.length === 0) {
    return { since: next, pause: Math.max(0, SHORT_WAIT_MS - (now() - begun)) };
  }
  onChanges(answer);
  return isBehind ? { since: null, pause: 0 } : { since: next, pause: GATHER_MS };
}

/** Whether the following was ended, which may happen while a request waits. */
function isOver({ aborted }: AbortSignal): boolean {
  return aborted;
}

function pauseAfter(error: unknown, failures: number): number {
  const requested = error instanceof ProblemError ? error.retryAfter : null;
  const ms = requested === null ? 1_000 * 2 ** failures : requested * 1_000;
  return Math.min(ms, LONGEST_PAUSE_MS);
}
