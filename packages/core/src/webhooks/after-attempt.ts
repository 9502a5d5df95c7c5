import type { SendResult } from './send-message.ts';
import type { DisabledReason } from './webhook.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The pauses between attempts, in ms. They lead to ten attempts within about three days. */
const PAUSES = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  15 * MINUTE,
  HOUR,
  4 * HOUR,
  10 * HOUR,
  20 * HOUR,
  36 * HOUR,
];
/** By how much a pause may be longer or shorter, as a fraction. */
const JITTER = 0.1;
/** The longest pause, in ms, that an endpoint can request. */
const LONGEST_REQUESTED = DAY;
const GONE = 410;
/** A webhook is disabled if all its attempts have failed for this time, in ms, and {@link FAILING_ATTEMPTS} times. */
const FAILING_MS = 5 * DAY;
const FAILING_ATTEMPTS = 20;

export interface Failures {
  /** The start of the current series of failures, in ms since 1970. */
  readonly since: number;
  /** The number of failures in the series, including the latest one. */
  readonly count: number;
}

export interface AttemptEnd {
  readonly result: SendResult;
  /** The number of the attempt, starting at 1. */
  readonly attempt: number;
  /** The webhook's current series of failures, including this attempt; null if this attempt succeeded. */
  readonly failures: Failures | null;
  /** The time in ms since 1970. */
  readonly now: number;
}

export type AfterAttempt =
  | { readonly next: 'pause'; readonly pauseMs: number }
  | { readonly next: 'none' }
  | { readonly next: 'disable'; readonly reason: DisabledReason };

/**
 * Decides what follows an attempt: another attempt after a pause (`pause`), no further attempt for this message
 * (`none`), or that the service disables the webhook (`disable`).
 *
 * @param random returns a number from 0 to 1
 */
export function afterAttempt(
  { result, attempt, failures, now }: AttemptEnd,
  random: () => number = Math.random,
): AfterAttempt {
  if (result.ok) return { next: 'none' };
  if (result.statusCode === GONE) return { next: 'disable', reason: 'gone' };
  if (failures !== null && isLost(failures, now)) return { next: 'disable', reason: 'failing' };
  const pause = PAUSES[attempt - 1];
  if (pause === undefined) return { next: 'none' };
  const varied = pause * (1 + JITTER * (2 * random() - 1));
  const requested = Math.min(result.retryAfterMs ?? 0, LONGEST_REQUESTED);
  return { next: 'pause', pauseMs: Math.round(Math.max(varied, requested)) };
}

function isLost({ since, count }: Failures, now: number): boolean {
  return count >= FAILING_ATTEMPTS && now - since >= FAILING_MS;
}
