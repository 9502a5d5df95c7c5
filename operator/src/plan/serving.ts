import { MODEL_TASKS } from '@sightline/contracts/cluster/cluster-task';
import type { DesiredModel, DesiredModels } from '@sightline/contracts/cluster/desired-models';
import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import { type Demand, rank } from './demands.ts';
import { nameOf } from './hosts.ts';
import { knownFailure } from './loading.ts';
import { revisionOf } from './roles.ts';

export interface Servable {
  readonly model: InferenceModel;
  readonly demand: Demand;
  /** The pack of the model in the model store; null if there is none. */
  readonly pack: { readonly revision?: string } | null;
  /** Whether the pods should not load the model for now, because an attempt failed. They retry after a pause. */
  readonly isDeferred: boolean;
}

/**
 * The desired models of a host's pods. Includes only models that the model store has and that the pods should load or keep
 * on disk. Active models come first, because a pod without them is not ready.
 */
export function desiredModels(models: readonly Servable[]): DesiredModels {
  const inOrder = models.toSorted(byPreference);
  return { provider: 'auto', models: inOrder.flatMap((each) => desiredModel(each) ?? []) };
}

function byPreference(one: Servable, other: Servable): number {
  const byRole = rank(one.demand.role) - rank(other.demand.role);
  return byRole === 0 ? packNameOf(one).localeCompare(packNameOf(other), 'en') : byRole;
}

function packNameOf({ model }: Servable): string {
  return model.spec.packName ?? nameOf(model);
}

function desiredModel(servable: Servable): DesiredModel | null {
  const { model, demand, isDeferred } = servable;
  const revision = servedRevision(servable);
  if (revision === null || demand.keep === 'nothing' || demand.keep === 'store') return null;
  // The disks of the pods have no space for the files of this model.
  if (isDeferred && knownFailure(model)?.reason === 'NoSpace') return null;
  const keep = demand.keep === 'loaded' && !isDeferred ? 'loaded' : 'disk';
  return { task: MODEL_TASKS[model.spec.task], name: packNameOf(servable), revision, keep };
}

function servedRevision({ model, demand, pack }: Servable): string | null {
  return pack?.revision ?? revisionInUse(model, demand);
}

/** The revision of a model in use, which stays in the pods even while its pack is verified again. */
function revisionInUse(model: InferenceModel, { role }: Demand): string | null {
  return role === 'active' || role === 'draining' ? revisionOf(model) : null;
}

/** The desired number of a host's pods; 0 if the model store has no model that they should load. */
export function podsDesired(host: InferenceModel, models: readonly Servable[]): number {
  if (host.spec.suspend) return 0;
  const isNeeded = models.some(
    (each) => each.demand.keep === 'loaded' && servedRevision(each) !== null,
  );
  return isNeeded ? host.spec.replicas : 0;
}
