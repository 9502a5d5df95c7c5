import { backoffMs } from '@sightline/core/backoff';
import type { InferenceModelStatus } from '@sightline/contracts/cluster/inference-model';
import { fingerprint } from './fingerprint.ts';
import { fromTime, toTime } from './time.ts';

export type LastFailure = NonNullable<InferenceModelStatus['lastFailure']>;
export type FailureReason = NonNullable<LastFailure['reason']>;

/** A failure as it is observed now, with the message of the program that failed. */
export interface Failure {
  readonly reason: FailureReason;
  readonly message: string;
  readonly pod?: string;
}

/** For each reason, whether a retry may succeed without a change of the object. */
const IS_RETRIED: Readonly<Record<FailureReason, boolean>> = {
  // The source may get its files, or the Secret its right keys, without a change of the object.
  AccessDenied: true,
  NotFound: true,
  DigestMismatch: false,
  RevisionMismatch: false,
  ArchiveInvalid: false,
  TooLarge: false,
  PackRefused: false,
  TaskMismatch: false,
  DigestRequired: false,
  SourceUnreachable: true,
  NoSpace: true,
  StoreUnavailable: true,
  FetchFailed: true,
  LoadFailed: true,
  OutOfMemory: true,
  OutOfDeviceMemory: true,
  NoDevice: true,
  WarmUpFailed: true,
  Unschedulable: true,
  ImageUnavailable: true,
  Refused: true,
  SecretMissing: true,
  PodsOfMissing: true,
  InstallationMissing: true,
  DeadlineExceeded: true,
};

export const FAILURE_REASONS = Object.keys(IS_RETRIED) as readonly FailureReason[];

const RETRY = { firstMs: 5_000, longestMs: 600_000 };
const MAX_MESSAGE = 2048;

export function isFailureReason(text: unknown): text is FailureReason {
  return typeof text === 'string' && Object.hasOwn(IS_RETRIED, text);
}

export function isFinal({ reason }: Pick<LastFailure, 'reason'>): boolean {
  return reason !== undefined && !IS_RETRIED[reason];
}

/**
 * The pause in ms after this many failures. Its jitter is not random but derived from the key, so that every plan
 * computes the same pause for the same failure.
 */
export function pauseAfter(count: number, key: string): number {
  const chance = parseInt(fingerprint([key, count]).slice(0, 8), 16) / 0xffff_ffff;
  return Math.round(backoffMs(count, RETRY, chance));
}

export interface Occurrence {
  /**
   * A text that identifies the object. The jitter of the pause depends on it, so that objects which fail together do
   * not retry together.
   */
  readonly key: string;
  /** The number of failures in a row. */
  readonly count: number;
  /** The time of the failure in ms since 1970. */
  readonly at: number;
}

export function toLastFailure(failure: Failure, { key, count, at }: Occurrence): LastFailure {
  const { reason, message, pod } = failure;
  return {
    reason,
    message: shortened(message),
    ...(pod !== undefined && { pod }),
    time: toTime(at),
    count,
    ...(!isFinal(failure) && { retryAt: toTime(at + pauseAfter(count, key)) }),
  };
}

/**
 * Cuts a message to its maximum length. A character that is cut in half becomes the replacement character here,
 * because the API server would do the same, and the status would then differ from the plan.
 */
function shortened(message: string): string {
  return message.slice(0, MAX_MESSAGE).toWellFormed();
}

/** Whether the pause after a failure is not over yet. The pause after a final failure never ends. */
export function isPaused(failure: LastFailure, now: number): boolean {
  if (isFinal(failure)) return true;
  return now < (fromTime(failure.retryAt) ?? 0);
}

/** Continues a failure that persists. During its pause, nothing changes; afterwards, the count increases. */
export function follow(
  failure: Failure,
  known: LastFailure | undefined,
  { key, now }: { readonly key: string; readonly now: number },
): LastFailure {
  if (known?.reason !== failure.reason) return toLastFailure(failure, { key, count: 1, at: now });
  const isOther = isFinal(failure) && known.message !== shortened(failure.message);
  if (isPaused(known, now) && !isOther) return known;
  return toLastFailure(failure, { key, count: (known.count ?? 0) + 1, at: now });
}

/** Restarts the pause of a failure without counting another failure, because a retry is not possible yet. */
export function postpone(
  known: LastFailure,
  { key, now }: { readonly key: string; readonly now: number },
): LastFailure {
  return { ...known, retryAt: toTime(now + pauseAfter(known.count ?? 1, key)) };
}
