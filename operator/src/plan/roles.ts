import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import type { InferenceRoute } from '@sightline/contracts/cluster/inference-route';
import { requestedOf } from '@sightline/contracts/cluster/inference-route-rules';
import { isDrained, keptUntil } from './drain.ts';
import { nameOf } from './hosts.ts';

/**
 * What a model is to the route of its task, the most important first: it answers, it answered until a moment ago and
 * may be asked still, it is to answer, it is kept for the way back.
 */
export const ROLES = ['active', 'draining', 'desired', 'kept'] as const;
export type ModelRole = (typeof ROLES)[number];

/** The name of the route for the model's task. */
export function slotOf({ spec }: Pick<InferenceModel, 'spec'>): 'face' | 'object' {
  return spec.task === 'Face' ? 'face' : 'object';
}

/** The model's revision: the verified one, else the declared one; null if neither is known yet. */
export function revisionOf({ spec, status }: InferenceModel): string | null {
  return status?.pack?.revision ?? spec.revision ?? null;
}

/** Whether the database says that the model answers, as the route's status repeats it. */
export function isActive(model: InferenceModel, { status }: InferenceRoute): boolean {
  const { active } = status ?? {};
  const revision = revisionOf(model);
  if (revision === null || active?.revision !== revision) return false;
  return [undefined, '', nameOf(model)].includes(active.model);
}

/** Whether what is to answer does. */
export function isSettled(route: InferenceRoute, desired: InferenceModel | undefined): boolean {
  return desired !== undefined && isActive(desired, route);
}

/** @param models of the namespace; @returns null: the route is not about the model */
export function roleOf(
  model: InferenceModel,
  route: InferenceRoute,
  { now, isSwitching }: { readonly now: number; readonly isSwitching: boolean },
): ModelRole | null {
  if (isActive(model, route)) return 'active';
  const isPrevious = route.status?.previous?.model === nameOf(model);
  if (isPrevious && !isDrained(route)) return 'draining';
  if (requestedOf(route) === nameOf(model)) return 'desired';
  // A newer request needs the place.
  if (isPrevious && !isSwitching && now < keptUntil(route)) return 'kept';
  return null;
}
