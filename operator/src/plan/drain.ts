import type { InferenceRoute } from '@sightline/contracts/cluster/inference-route';
import { conditionOf } from '@sightline/contracts/cluster/inference-route-rules';
import { fromTime } from './time.ts';

/** The shortest duration of a drain, in ms. Requests may still name the previous model for this time. */
export const PREVIOUS_COUNTS_MS = 60_000;
/** A model counts as no longer requested if no request has named it for this time, in s. */
export const UNREQUESTED_SECONDS = 30;

/**
 * When the active model became active, in ms since 1970; -Infinity if no model is active. Rounded down to whole seconds, so
 * that it can be compared with the times of conditions.
 */
export function switchedAt({ status }: InferenceRoute): number {
  const at = fromTime(status?.active?.since);
  return at === null ? -Infinity : Math.floor(at / 1000) * 1000;
}

/** Whether the previous model has been drained since the last switch. */
export function isDrained(route: InferenceRoute): boolean {
  const drained = conditionOf(route.status?.conditions, 'Drained');
  if (drained?.status !== 'True') return false;
  return fromTime(drained.lastTransitionTime)! >= switchedAt(route);
}

/** The latest end of a drain, in ms since 1970. */
export function drainDeadline(route: InferenceRoute): number {
  return switchedAt(route) + route.spec.drainTimeoutSeconds * 1000;
}

/** The time until which the drained previous model stays loaded, in ms since 1970. */
export function keptUntil(route: InferenceRoute): number {
  const drained = conditionOf(route.status?.conditions, 'Drained');
  const from = fromTime(drained?.lastTransitionTime) ?? 0;
  return from + route.spec.keepPreviousSeconds * 1000;
}

/**
 * Whether the drain of the previous model is over.
 *
 * @param requested the number of pods that had a request for the previous model recently
 */
export function drainIsOver(
  route: InferenceRoute,
  { now, requested }: { readonly now: number; readonly requested: number },
): boolean {
  if (route.status?.previous === undefined || isDrained(route)) return true;
  if (now >= drainDeadline(route)) return true;
  return now >= switchedAt(route) + PREVIOUS_COUNTS_MS && requested === 0;
}
