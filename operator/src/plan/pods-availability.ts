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

/**
 * The number of a host's pods that may be missing while the others serve: at most one is evicted at a time, and a model is
 * available without one.
 */
export const MAX_UNAVAILABLE = 1;

export type PodsAvailability = NonNullable<InferenceRouteStatus['available']>;

export interface AvailabilityContext {
  readonly now: number;
  readonly revision: string;
  readonly pods: readonly ObservedPod[];
  /** The desired number of the host's pods. */
  readonly podsDesired: number;
}

/**
 * The availability of a model. It becomes available once all ready pods of its host have loaded it, all callers have
 * their addresses, and at most {@link MAX_UNAVAILABLE} of the desired pods is missing. A pod that is not ready does not
 * count: it loads the model before it becomes ready. The model remains available as long as one pod has loaded it.
 *
 * @returns null if the model is not available
 */
export function availabilityOf(
  route: InferenceRoute,
  context: AvailabilityContext,
): PodsAvailability | null {
  const { revision, pods, podsDesired, now } = context;
  const ready = pods.filter(isReady);
  const answering = ready.filter((pod) => isAnswering(pod, revision));
  const available = availableBefore(route, revision);
  if (available !== null) {
    const { warm } = countPods(pods, { revision, desired: podsDesired });
    return answering.length > 0 ? { revision, pods: warm, since: available.since } : null;
  }
  const areAllReached =
    ready.every((pod) => isKnown(pod, now)) && answering.length === ready.length;
  if (!areAllReached || ready.length < Math.max(podsDesired - MAX_UNAVAILABLE, 1)) return null;
  return { revision, pods: ready.length, since: toTime(now) };
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
