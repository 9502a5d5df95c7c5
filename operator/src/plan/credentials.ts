import { type Finding, finding } from './conditions.ts';
import { isReady } from './pod-counts.ts';
import type { ObservedPod } from './snapshot.ts';

/** A key counts as no longer used if no caller has sent it for this time, in s. Callers ask for the status all the time. */
const UNUSED_SECONDS = 60;

/**
 * The finding about the key that callers of a host's pods send. A rotation gives everyone two keys first; the previous key
 * can be removed once this finding has the reason `CurrentKeyInUse`.
 */
export function credentialsFinding(pods: readonly ObservedPod[]): Finding {
  const ready = pods.filter(isReady);
  const reports = ready.flatMap(({ keys }) => keys ?? []);
  if (reports.length === 0) return finding(true, 'NoPods', 'No pod accepts keys.');
  const accepted = new Set(reports.map((keys) => keys.accepted));
  if (accepted.size > 1 || (accepted.has(2) && reports.length < ready.length)) {
    return finding(
      false,
      'KeysDiffer',
      'Some pods have not reported that they accept both keys: Kubernetes updates mounted Secrets within a minute or two.',
    );
  }
  if (accepted.has(1)) return finding(true, 'OneKey', 'All pods accept one key.');
  const usedAgo = reports.map(({ previousUsedSecondsAgo }) => previousUsedSecondsAgo ?? 0);
  return Math.min(...usedAgo) < UNUSED_SECONDS
    ? finding(
        false,
        'PreviousKeyInUse',
        'Some callers have sent the previous key within the last minute, or pods have accepted it for less than that.',
      )
    : finding(
        true,
        'CurrentKeyInUse',
        'All callers send the current key: the previous one can be removed.',
      );
}
