import type {
  InferenceRoute,
  InferenceRouteStatus,
} from '@sightline/contracts/cluster/inference-route';
import { requestedOf } from '@sightline/contracts/cluster/inference-route-rules';
import { isTrue } from './conditions.ts';
import { countPods, isAnswering, isReady } from './pod-counts.ts';
import type { ObservedPod } from './snapshot.ts';
import { toTime } from './time.ts';

/** After a pod has been ready for this time, in ms, all callers have its address: they cache DNS answers for up to 30 s. */
export const KNOWN_AFTER_MS = 40_000;

export type PodsAvailability = NonNullable<InferenceRouteStatus['available']>;

export interface AvailabilityContext {
  readonly now: number;
  readonly revision: string;
  readonly pods: readonly ObservedPod[];
  /** The desired number of the host's pods. */
  readonly podsDesired: number;
}

/**
 * The availability of a model. It becomes available once all pods of its host have loaded it and all callers have their
 * addresses. It remains available as long as one pod has loaded it.
 *
 * @returns null if the model is not available
 */
export function availabilityOf(
  route: InferenceRoute,
  context: AvailabilityContext,
): PodsAvailability | null {
  const { revision, pods, podsDesired, now } = context;
  const counts = countPods(pods, { revision, desired: podsDesired });
  const available = availableBefore(route, revision);
  if (available !== null) {
    return counts.answering > 0 ? { revision, pods: counts.warm, since: available.since } : null;
  }
  if (!counts.isWarm || !pods.filter(isReady).every((pod) => isKnown(pod, now))) return null;
  const known = pods.filter((pod) => isAnswering(pod, revision) && isKnown(pod, now)).length;
  return known >= Math.max(podsDesired, 1) ? { revision, pods: known, since: toTime(now) } : null;
}

/**
 * The availability in the route's status, if it belongs to this model; null otherwise. The name is compared as well
 * as the revision, because another model with its own pods may have the same revision.
 */
function availableBefore(route: InferenceRoute, revision: string): PodsAvailability | null {
  const { available, desired, conditions } = route.status ?? {};
  if (available?.revision !== revision || desired?.model !== requestedOf(route)) return null;
  return isTrue(conditions, 'Available') ? available : null;
}

function isKnown({ readySince }: ObservedPod, now: number): boolean {
  return readySince !== null && now >= readySince + KNOWN_AFTER_MS;
}
