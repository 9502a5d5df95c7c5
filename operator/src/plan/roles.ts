import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import type { InferenceRoute } from '@sightline/contracts/cluster/inference-route';
import { requestedOf } from '@sightline/contracts/cluster/inference-route-rules';
import { isDrained, keptUntil } from './drain.ts';
import { nameOf } from './hosts.ts';

/**
 * The roles of a model in the route of its task, the most important first: it is active; it was active until the last
 * switch, and requests may still name it; it is requested; it stays loaded in case of a return to it.
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

/** Whether the model is active in the database, according to the route's status. */
export function isActive(model: InferenceModel, { status }: InferenceRoute): boolean {
  const { active } = status ?? {};
  const revision = revisionOf(model);
  if (revision === null || active?.revision !== revision) return false;
  return [undefined, '', nameOf(model)].includes(active.model);
}

/** Whether the desired model is active. */
export function isSettled(route: InferenceRoute, desired: InferenceModel | undefined): boolean {
  return desired !== undefined && isActive(desired, route);
}

/** @param models the models of the namespace; @returns null if the model has no role in the route */
export function roleOf(
  model: InferenceModel,
  route: InferenceRoute,
  { now, isSwitching }: { readonly now: number; readonly isSwitching: boolean },
): ModelRole | null {
  if (isActive(model, route)) return 'active';
  const isPrevious = route.status?.previous?.model === nameOf(model);
  if (isPrevious && !isDrained(route)) return 'draining';
  if (requestedOf(route) === nameOf(model)) return 'desired';
  // A newer request needs the place in the pods.
  if (isPrevious && !isSwitching && now < keptUntil(route)) return 'kept';
  return null;
}
