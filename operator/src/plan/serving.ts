import type { ServedModel, ServingFile } from '@sightline/contracts/cluster/serving-file';
import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import type { Demand } from './demands.ts';
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

/** The file of a host's pods: what the model store has, as far as it is wanted there. */
export function servingFile(models: readonly Servable[]): ServingFile {
  return {
    models: models
      .flatMap((each) => servedModel(each) ?? [])
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

function servedModel(servable: Servable): ServedModel | null {
  const { model, demand, isHeldBack } = servable;
  const revision = servedRevision(servable);
  if (revision === null || demand.keep === 'nothing' || demand.keep === 'store') return null;
  // Its files are what the pods have no room for.
  if (isHeldBack && knownFailure(model)?.reason === 'NoSpace') return null;
  const keep = demand.keep === 'loaded' && !isHeldBack ? 'loaded' : 'disk';
  return { name: model.spec.packName ?? nameOf(model), task: model.spec.task, revision, keep };
}

function servedRevision({ model, demand, pack }: Servable): string | null {
  return pack?.revision ?? revisionWhileItAnswers(model, demand);
}

/** What answers stays, also while it is verified once more. */
function revisionWhileItAnswers(model: InferenceModel, { role }: Demand): string | null {
  return role === 'active' || role === 'draining' ? revisionOf(model) : null;
}

/** How many pods a host has: none while nothing that the model store has is to be loaded in them, now or later. */
export function podsWanted(host: InferenceModel, models: readonly Servable[]): number {
  if (host.spec.suspend) return 0;
  const isNeeded = models.some(
    (each) => each.demand.keep === 'loaded' && servedRevision(each) !== null,
  );
  return isNeeded ? host.spec.replicas : 0;
}
