import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import type { Failure } from './failures.ts';

/** A host with its guests, which are the other models that the host's pods load. */
export interface HostGroup {
  readonly host: InferenceModel;
  readonly guests: readonly InferenceModel[];
}

export function nameOf({ metadata }: Pick<InferenceModel, 'metadata'>): string {
  return metadata.name;
}

/** The name of the model in whose pods this model is loaded: `podsOf`, or the model itself. */
export function hostNameOf(model: InferenceModel): string {
  return model.spec.podsOf ?? nameOf(model);
}

/**
 * @param models the models of one namespace
 * @returns null if there is no model of this name, or if it is a guest
 */
export function groupOf(name: string, models: readonly InferenceModel[]): HostGroup | null {
  const host = models.find((model) => nameOf(model) === name);
  if (host === undefined || host.spec.podsOf !== undefined) return null;
  const guests = models
    .filter((model) => model.spec.podsOf === name)
    .toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  return { host, guests };
}

/** The failure of a guest without a valid host; null if its host is valid. @param models the models of the namespace */
export function missingHost(
  guest: InferenceModel,
  models: readonly InferenceModel[],
): Failure | null {
  const { podsOf } = guest.spec;
  if (podsOf === undefined) return null;
  const host = models.find((model) => nameOf(model) === podsOf);
  if (host === undefined) {
    return { reason: 'PodsOfMissing', message: `There is no InferenceModel ${podsOf}.` };
  }
  if (host.spec.podsOf === undefined) return null;
  const message = `InferenceModel ${podsOf} has no pods of its own: it is in those of ${host.spec.podsOf}. Name that one in podsOf.`;
  return { reason: 'PodsOfMissing', message };
}
