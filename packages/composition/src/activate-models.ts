import type { ImageAnalyzer } from '@sightline/core/analysis/image-analyzer';
import type { LeaseStore } from '@sightline/core/leases/lease-store';
import { withExclusiveLease } from '@sightline/core/leases/with-exclusive-lease';
import { ModelRegistry } from '@sightline/core/models/model-registry';
import type { ModelStore } from '@sightline/core/models/model-store';
import { activateAtStart } from '@sightline/core/reembedding/activate-at-start';
import { type ModelFollowerDeps, ModelFollower } from '@sightline/core/reembedding/model-follower';

const LEASE = { name: 'activate-models', seconds: 15 };

/** The stores that an activation writes to. */
export interface ActivationStores {
  readonly models: ModelStore;
  readonly leases: LeaseStore;
}

/**
 * Makes the models of this process the active ones, before it answers requests. Processes that start
 * at the same time do this one at a time, so that each environment gets its jobs once.
 *
 * @throws StoreUnavailable, InferenceUnavailable; the signal's reason on abort
 */
export async function activateModels(
  stores: ActivationStores,
  analyzer: Pick<ImageAnalyzer, 'status'>,
  signal: AbortSignal,
): Promise<void> {
  const deps = { ...activationDeps(stores), analyzer };
  await withExclusiveLease({ ...LEASE, leases: stores.leases }, signal, () =>
    activateAtStart(deps, signal),
  );
}

/**
 * As {@link activateModels}, for models of inference processes: these may be replaced while this
 * process starts, so a task that has an active model keeps it. The worker completes a replacement.
 *
 * @param statuses what each inference process reports
 * @throws StoreUnavailable; the signal's reason on abort
 */
export async function activateFirstModels(
  stores: ActivationStores,
  statuses: ModelFollowerDeps['statuses'],
  signal: AbortSignal,
): Promise<void> {
  const follower = new ModelFollower({ ...activationDeps(stores), statuses });
  await withExclusiveLease({ ...LEASE, leases: stores.leases }, signal, () =>
    follower.poll(signal),
  );
}

function activationDeps({ models }: ActivationStores): Omit<ModelFollowerDeps, 'statuses'> {
  return { models: new ModelRegistry(models), modelStore: models };
}
