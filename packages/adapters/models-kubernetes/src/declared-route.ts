import type { DeclaredModel, DeclaredRoute } from '@sightline/core/models/model-routes';
import type { ModelSlot } from '@sightline/core/models/model-slot';
import type { InferenceRoute } from '@sightline/kube/resources/inference-route';

type Condition = NonNullable<NonNullable<InferenceRoute['status']>['conditions']>[number];

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
  const name = wantedName(route);
  const wanted = models.find((model) => model.name === name && slotOfTask(model) === slot) ?? null;
  return {
    slot,
    generation: generationOf(route),
    wanted,
    isOffered: wanted?.revision != null && offeredRevision(route) === wanted.revision,
    approved: needsApproval(route) ? { revision: spec.approvedRevision ?? null } : null,
    reembed: spec.reembed === 'After' ? 'after' : 'before',
    gaveWay: gaveWayOf(route),
  };
}

/** Where nothing answers there is nothing to embed anew. */
function needsApproval({ spec, status }: InferenceRoute): boolean {
  return spec.reembed === 'Block' && status?.active !== undefined;
}

/** The API server counts from 1. */
export function generationOf({ metadata }: Pick<InferenceRoute, 'metadata'>): number {
  return metadata.generation ?? 0;
}

/** The name of the InferenceModel that is to answer. */
export function wantedName({ spec }: Pick<InferenceRoute, 'spec'>): string | undefined {
  return spec.model ?? spec.defaultModel;
}

/** Undefined: no model is offered. */
function offeredRevision(route: InferenceRoute): string | undefined {
  const isOffered = conditionOf(route, 'Offered')?.status === 'True';
  return isOffered ? route.status?.offered?.revision : undefined;
}

function gaveWayOf(route: InferenceRoute): DeclaredRoute['gaveWay'] {
  const activated = conditionOf(route, 'Activated');
  if (activated?.reason !== GAVE_WAY) return null;
  return activated.observedGeneration === route.metadata.generation ? 'this' : 'former';
}

/** Reason of the condition `Activated` of a route whose wanted model gave way. */
export const GAVE_WAY = 'GaveWay';

export function conditionOf({ status }: InferenceRoute, type: string): Condition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

export function slotOfTask({ task }: Pick<DeclaredModel, 'task'>): ModelSlot {
  return task === 'face' ? 'face' : 'object';
}
