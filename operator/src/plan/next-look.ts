import type { InferenceModelStatus } from '@sightline/contracts/cluster/inference-model';
import { isTrue } from './conditions.ts';
import { isDrained, keptUntil } from './drain.ts';
import type { HostSnapshot } from './snapshot.ts';
import { fromTime } from './time.ts';

/** How often pods are asked while something is under way, in ms. */
export const TRANSITION_MS = 1_000;
/** How often a fetch is asked how far it is. */
const FETCH_MS = 5_000;
/** How often pods are asked otherwise. */
export const REST_MS = 30_000;

/** When a host is to be planned again; null: when something changes. */
export function nextLook(
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
