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

export interface ActivationStores {
  readonly models: ModelStore;
  readonly activations: ActivationStore;
  readonly leases: LeaseStore;
}

/**
 * Chooses the active models of the installation before this process answers requests. A lease serializes this for
 * processes that start at the same time, so that each environment gets its jobs only once.
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
            'the configuration names a model that is not the active one: to switch to it, use PUT /api/models/{id}/activate',
          ),
      },
      signal,
    ),
  );
}

/**
 * Activates the models of inference processes for tasks that have no active model. Other tasks keep their active model,
 * because the inference processes may be replacing their models, and the worker completes the replacement.
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
