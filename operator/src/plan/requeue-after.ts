import type { InferenceModelStatus } from '@sightline/contracts/cluster/inference-model';
import { isTrue } from './conditions.ts';
import { isDrained, keptUntil } from './drain.ts';
import type { HostSnapshot } from './snapshot.ts';
import { fromTime } from './time.ts';

/** The interval in ms between polls of pods during a change. */
export const TRANSITION_MS = 1_000;
/** The interval in ms between polls of a fetch's progress. */
const FETCH_MS = 5_000;
/** The interval in ms between polls of pods while nothing changes. */
export const REST_MS = 30_000;

/** The time in ms after which a host is planned again; null if only a change leads to another plan. */
export function requeueAfter(
  { now, pods, routes, fetches }: HostSnapshot,
  statuses: readonly InferenceModelStatus[],
): number | null {
  const isFetching = [...fetches.values()].some(({ end }) => end === null);
  const isMoving = statuses.some(({ conditions }) => isTrue(conditions, 'Reconciling'));
  const due = [
    ...statuses.map(({ lastFailure }) => fromTime(lastFailure?.retryAt)),
    ...routes.filter(isDrained).map(keptUntil),
  ].flatMap((at) => (at !== null && at > now ? [at - now] : []));
  if (pods.length > 0) due.push(isMoving ? TRANSITION_MS : REST_MS);
  if (isFetching) due.push(FETCH_MS);
  return due.length === 0 ? null : Math.min(...due);
}
