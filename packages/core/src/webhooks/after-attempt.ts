import type { SendResult } from './send-message.ts';
import type { DisabledReason } from './webhook.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Pauses between attempts, in ms; with the last one there are ten attempts within three days. */
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
/** How much a pause varies, as a share in both directions. */
const JITTER = 0.1;
/** The longest pause that an endpoint may ask for. */
const LONGEST_ASKED = DAY;
const GONE = 410;
/** A webhook is disabled once all its attempts have failed for this long, in ms, and at least this many times. */
const FAILING_MS = 5 * DAY;
const FAILING_ATTEMPTS = 20;

export interface Failures {
  /** When the current series of failures began, in ms since the epoch. */
  readonly since: number;
  /** The number of failures in the series, this one included. */
  readonly count: number;
}

export interface AttemptEnd {
  readonly result: SendResult;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /** The failures of the webhook in a row, this one included; null if this attempt succeeded. */
  readonly failures: Failures | null;
  /** The time in ms since the epoch. */
  readonly now: number;
}

/** The step after an attempt: the next one after a pause in ms, none, or disabling the webhook. */
export type AfterAttempt =
  | { readonly next: 'pause'; readonly pauseMs: number }
  | { readonly next: 'none' }
  | { readonly next: 'disable'; readonly reason: DisabledReason };

/** @param random from 0 to 1 */
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
  const asked = Math.min(result.retryAfterMs ?? 0, LONGEST_ASKED);
  return { next: 'pause', pauseMs: Math.round(Math.max(varied, asked)) };
}

function isLost({ since, count }: Failures, now: number): boolean {
  return count >= FAILING_ATTEMPTS && now - since >= FAILING_MS;
}
