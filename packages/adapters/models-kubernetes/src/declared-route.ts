import type { DeclaredModel, DeclaredRoute } from '@sightline/core/models/model-routes';
import type { ModelSlot } from '@sightline/core/models/model-slot';
import type { InferenceRoute } from '@sightline/contracts/cluster/inference-route';
import {
  asksForApproval,
  conditionOf,
  gaveWayOf,
  wantedOf,
} from '@sightline/contracts/cluster/inference-route-rules';

/** The slot of a route, by its name; null: its name is none that the custom resource allows. */
export function slotOfRoute({ metadata }: Pick<InferenceRoute, 'metadata'>): ModelSlot | null {
  const { name } = metadata;
  return name === 'face' || name === 'object' ? name : null;
}

/** What an InferenceRoute says to those who know no Kubernetes. */
export function declaredRoute(
  slot: ModelSlot,
  route: InferenceRoute,
  models: readonly DeclaredModel[],
): DeclaredRoute {
  const { spec } = route;
  const name = wantedOf(route);
  const wanted = models.find((model) => model.name === name && slotOfTask(model) === slot) ?? null;
  return {
    slot,
    generation: generationOf(route),
    wanted,
    isOffered: wanted?.revision != null && offeredRevision(route) === wanted.revision,
    approved: asksForApproval(route) ? { revision: spec.approvedRevision ?? null } : null,
    reembed: spec.reembed === 'After' ? 'after' : 'before',
    gaveWay: gaveWayOf(route),
  };
}

/** The API server counts from 1. */
export function generationOf({ metadata }: Pick<InferenceRoute, 'metadata'>): number {
  return metadata.generation ?? 0;
}

/** Undefined: no model is offered. */
function offeredRevision({ status }: InferenceRoute): string | undefined {
  const isOffered = conditionOf(status?.conditions, 'Offered')?.status === 'True';
  return isOffered ? status?.offered?.revision : undefined;
}

export function slotOfTask({ task }: Pick<DeclaredModel, 'task'>): ModelSlot {
  return task === 'face' ? 'face' : 'object';
}
