import type { LeaseStore } from '@sightline/core/leases/lease-store';
import { withExclusiveLease } from '@sightline/core/leases/with-exclusive-lease';
import type { ActivationStore } from '@sightline/core/models/activation-store';
import type { ModelHosts } from '@sightline/core/models/model-hosts';
import { ModelRegistry } from '@sightline/core/models/model-registry';
import type { ModelStore } from '@sightline/core/models/model-store';
import { activateAtStart } from '@sightline/core/activation/activate-at-start';
import { ModelRollout } from '@sightline/core/activation/model-rollout';
import type { Logger } from '@sightline/platform/logging/logger';
import { databaseControl } from './models/model-control.ts';

const LEASE = { name: 'activate-models', seconds: 15 };

/** The stores that an activation writes to. */
export interface ActivationStores {
  readonly models: ModelStore;
  readonly activations: ActivationStore;
  readonly leases: LeaseStore;
}

/**
 * Agrees with the database on the active models, before this process answers requests. Processes that start at the same
 * time do this one after another, so that each environment gets its jobs once.
 *
 * @throws StoreUnavailable, InferenceUnavailable; the signal's reason on abort
 */
export async function activateModels(
  { models: modelStore, leases }: ActivationStores,
  { hosts, logger }: { readonly hosts: ModelHosts; readonly logger: Logger },
  signal: AbortSignal,
): Promise<void> {
  const models = new ModelRegistry(modelStore);
  await withExclusiveLease({ ...LEASE, leases }, signal, () =>
    activateAtStart(
      {
        models,
        modelStore,
        hosts,
        onOther: (found, active) =>
          logger.warn(
            { task: active.task, found: found.name, active: active.name },
            'the configuration finds another model than the active one, which answers: activate it by PUT /api/models/{id}/activate',
          ),
      },
      signal,
    ),
  );
}

/**
 * As {@link activateModels}, for models of inference processes: these may be replaced while this
 * process starts, so a task that has an active model keeps it. The worker completes a replacement.
 *
 * @throws StoreUnavailable; the signal's reason on abort
 */
export async function activateFirstModels(
  { models: modelStore, activations, leases }: ActivationStores,
  hosts: ModelHosts,
  signal: AbortSignal,
): Promise<void> {
  const control = databaseControl(hosts);
  const rollout = new ModelRollout({
    models: new ModelRegistry(modelStore),
    modelStore,
    activations,
    hosts,
    source: control.rolloutSource(() => Promise.resolve('auto')),
    declared: control.declared,
    describe: () => Promise.resolve(null),
  });
  const { failure } = await withExclusiveLease({ ...LEASE, leases }, signal, () =>
    rollout.poll(signal),
  );
  if (failure !== null) throw failure;
}
