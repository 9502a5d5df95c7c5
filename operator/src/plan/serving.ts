import type { InferenceModel } from '@sightline/kube/resources/inference-model';
import type { Demand } from './demands.ts';
import { nameOf } from './hosts.ts';
import { isHeldBack } from './loading.ts';
import { revisionOf } from './roles.ts';

/** What a pod reads, and holds. */
export interface ServingFile {
  readonly models: readonly ServedModel[];
}

export interface ServedModel {
  readonly name: string;
  readonly task: InferenceModel['spec']['task'];
  readonly revision: string;
  readonly keep: 'disk' | 'loaded';
}

export interface Servable {
  readonly model: InferenceModel;
  readonly demand: Demand;
  /** What the model store has of it; null: nothing. */
  readonly pack: { readonly revision?: string } | null;
}

/** The file of a host's pods: what the model store has, as far as it is wanted there. */
export function servingFile(models: readonly Servable[], now: number): ServingFile {
  return {
    models: models
      .flatMap((each) => servedModel(each, now) ?? [])
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

function servedModel({ model, demand, pack }: Servable, now: number): ServedModel | null {
  const revision = pack?.revision ?? revisionWhileItAnswers(model, demand);
  if (revision === null || demand.keep === 'nothing' || demand.keep === 'store') return null;
  const isLoaded = demand.keep === 'loaded' && !isHeldBack(model, demand, now);
  const keep = isLoaded ? 'loaded' : 'disk';
  return { name: model.spec.packName ?? nameOf(model), task: model.spec.task, revision, keep };
}

/** What answers stays, also while it is verified once more. */
function revisionWhileItAnswers(model: InferenceModel, { role }: Demand): string | null {
  return role === 'active' || role === 'draining' ? revisionOf(model) : null;
}

/** How many pods a host has: none while nothing that the model store has is to be loaded in them. */
export function podsWanted(host: InferenceModel, models: readonly Servable[], now: number): number {
  if (host.spec.suspend) return 0;
  const isNeeded = ({ demand, ...each }: Servable): boolean =>
    demand.keep === 'loaded' && servedModel({ demand, ...each }, now) !== null;
  return models.some(isNeeded) ? host.spec.replicas : 0;
}
