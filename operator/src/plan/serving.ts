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
  /** What the model store has of it; null: nothing. */
  readonly pack: { readonly revision?: string } | null;
  /** It is to be loaded, and is left out for now. */
  readonly isHeldBack: boolean;
}

/**
 * The desired models of a host's pods: those that are in the model store and are requested there. The active models come
 * first, because a pod without them is not ready.
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
  const { model, demand, isHeldBack } = servable;
  const revision = servedRevision(servable);
  if (revision === null || demand.keep === 'nothing' || demand.keep === 'store') return null;
  // Its files are what the pods have no room for.
  if (isHeldBack && knownFailure(model)?.reason === 'NoSpace') return null;
  const keep = demand.keep === 'loaded' && !isHeldBack ? 'loaded' : 'disk';
  return { task: MODEL_TASKS[model.spec.task], name: packNameOf(servable), revision, keep };
}

function servedRevision({ model, demand, pack }: Servable): string | null {
  return pack?.revision ?? revisionWhileItAnswers(model, demand);
}

/** What answers stays, also while it is verified once more. */
function revisionWhileItAnswers(model: InferenceModel, { role }: Demand): string | null {
  return role === 'active' || role === 'draining' ? revisionOf(model) : null;
}

/** How many pods a host has: none while nothing that the model store has is to be loaded in them, now or later. */
export function podsDesired(host: InferenceModel, models: readonly Servable[]): number {
  if (host.spec.suspend) return 0;
  const isNeeded = models.some(
    (each) => each.demand.keep === 'loaded' && servedRevision(each) !== null,
  );
  return isNeeded ? host.spec.replicas : 0;
}
