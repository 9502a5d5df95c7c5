import type { Availability, DesiredSlot } from '@sightline/core/activation/rollout-source';
import type { DeclaredModel } from '@sightline/core/models/declared-models';
import type { ModelSlot } from '@sightline/core/models/model-slot';
import type { InferenceRoute } from '@sightline/contracts/cluster/inference-route';
import {
  asksForApproval,
  conditionOf,
  rolledBackOf,
  requestedOf,
} from '@sightline/contracts/cluster/inference-route-rules';

/** The slot of a route; null if the custom resource does not allow the route's name. */
export function slotOfRoute({ metadata }: Pick<InferenceRoute, 'metadata'>): ModelSlot | null {
  const { name } = metadata;
  return name === 'face' || name === 'object' ? name : null;
}

/** The desired state of a slot, as an InferenceRoute declares it. */
export function desiredSlot(
  slot: ModelSlot,
  route: InferenceRoute,
  models: readonly DeclaredModel[],
): DesiredSlot {
  const { spec } = route;
  const name = requestedOf(route);
  const desired = models.find((model) => model.name === name && slotOfTask(model) === slot) ?? null;
  return {
    slot,
    generation: generationOf(route),
    model: desired,
    availability: availability(route, desired),
    isApproved: !asksForApproval(route) || spec.approvedRevision === desired?.revision,
    reembed: spec.reembed === 'After' ? 'after' : 'before',
    rolledBack: rolledBackOf(route),
  };
}

/** The generation of a route, from 1; 0 if it is unknown. */
export function generationOf({ metadata }: Pick<InferenceRoute, 'metadata'>): number {
  return metadata.generation ?? 0;
}

/** Whether the desired model is available. A pod that cannot load the model does not matter while others have loaded it. */
function availability(route: InferenceRoute, desired: DeclaredModel | null): Availability {
  const { revision = null, failure } = desired ?? {};
  if (revision !== null && availableRevision(route) === revision) return { kind: 'available' };
  if (failure?.isOfLoading === true || failure?.isFinal === true) {
    return { kind: 'failed', message: failure.message };
  }
  return { kind: 'unavailable' };
}

/** The revision of the available model; undefined if none is available. */
function availableRevision({ status }: InferenceRoute): string | undefined {
  const isAvailable = conditionOf(status?.conditions, 'Available')?.status === 'True';
  return isAvailable ? status?.available?.revision : undefined;
}

export function slotOfTask({ task }: Pick<DeclaredModel, 'task'>): ModelSlot {
  return task === 'face' ? 'face' : 'object';
}
