import type { LeaseStore } from '@sightline/core/leases/lease-store';
import {
  activateAtStart,
  type ActivateAtStartDeps,
} from '@sightline/core/reembedding/activate-at-start';
import { type FollowModelsDeps, ModelFollower } from '@sightline/core/reembedding/follow-models';
import type { HttpImageAnalyzer } from '@sightline/inference-http/http-image-analyzer';
import { oneAfterTheOther } from './one-after-the-other.ts';

const TURN = { name: 'activate-models', seconds: 15 };

/** What it takes, but for those that answer. */
export type ActivationDeps = Omit<FollowModelsDeps, 'statuses'> & { readonly leases: LeaseStore };

/**
 * Notes which models answer now, before this process answers anybody; of several that start at once
 * one after the other, so that each environment gets its jobs once.
 *
 * @throws StoreUnavailable, InferenceUnavailable; the signal's reason on abort
 */
export async function activateModels(
  deps: ActivationDeps & Pick<ActivateAtStartDeps, 'analyzer'>,
  signal: AbortSignal,
): Promise<void> {
  await oneAfterTheOther({ ...TURN, leases: deps.leases }, signal, () =>
    activateAtStart(deps, signal),
  );
}

/**
 * As {@link activateModels}, where models run in processes of their own: those are exchanged while
 * this one starts, too, and so a task that has an active model keeps it. The worker follows an
 * exchange when it is complete.
 *
 * @throws StoreUnavailable; the signal's reason on abort
 */
export async function activateFirstModels(
  deps: ActivationDeps & { readonly analyzer: Pick<HttpImageAnalyzer, 'statuses'> },
  signal: AbortSignal,
): Promise<void> {
  const statuses = (own: AbortSignal) => deps.analyzer.statuses(own);
  const follower = new ModelFollower({ ...deps, statuses });
  await oneAfterTheOther({ ...TURN, leases: deps.leases }, signal, () => follower.look(signal));
}
