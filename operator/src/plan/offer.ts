import type {
  InferenceRoute,
  InferenceRouteStatus,
} from '@sightline/contracts/cluster/inference-route';
import { wantedOf } from '@sightline/contracts/cluster/inference-route-rules';
import { isTrue } from './conditions.ts';
import { countPods, isAnswering, isReady } from './pod-counts.ts';
import type { ObservedPod } from './snapshot.ts';
import { toTime } from './time.ts';

/** Answers of DNS are kept for up to 30 s: a pod that is ready for so long is known to all who ask, in ms. */
export const KNOWN_AFTER_MS = 40_000;

export type Offer = NonNullable<InferenceRouteStatus['offered']>;

export interface OfferContext {
  readonly now: number;
  readonly revision: string;
  readonly pods: readonly ObservedPod[];
  /** How many there should be. */
  readonly podsWanted: number;
}

/**
 * What the pods of a host offer: a model that all of them hold, and that all who ask can find. An offer stays while
 * pods come and go, as long as one has the model.
 *
 * @returns null if the model is not offered
 */
export function offerOf(route: InferenceRoute, context: OfferContext): Offer | null {
  const { revision, pods, podsWanted, now } = context;
  const counts = countPods(pods, { revision, wanted: podsWanted });
  const offered = offeredBefore(route, revision);
  if (offered !== null) {
    return counts.answering > 0 ? { revision, pods: counts.warm, since: offered.since } : null;
  }
  if (!counts.isWarm || !pods.filter(isReady).every((pod) => isKnown(pod, now))) return null;
  const known = pods.filter((pod) => isAnswering(pod, revision) && isKnown(pod, now)).length;
  return known >= Math.max(podsWanted, 1) ? { revision, pods: known, since: toTime(now) } : null;
}

/** What these pods have offered. Another model may have the same bytes, in pods of its own. */
function offeredBefore(route: InferenceRoute, revision: string): Offer | null {
  const { offered, wanted, conditions } = route.status ?? {};
  if (offered?.revision !== revision || wanted?.model !== wantedOf(route)) return null;
  return isTrue(conditions, 'Offered') ? offered : null;
}

function isKnown({ readySince }: ObservedPod, now: number): boolean {
  return readySince !== null && now >= readySince + KNOWN_AFTER_MS;
}
