import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import type { InferenceRoute } from '@sightline/contracts/cluster/inference-route';
import { requestedOf } from '@sightline/contracts/cluster/inference-route-rules';
import { isDrained, keptUntil } from './drain.ts';
import { nameOf } from './hosts.ts';

/**
 * The roles of a model in the route of its task, by descending priority. A `draining` model was active until the last
 * switch, and requests may still name it. A `kept` model stays loaded so that switching back is quick.
 */
export const ROLES = ['active', 'draining', 'desired', 'kept'] as const;
export type ModelRole = (typeof ROLES)[number];

/** The name of the route for the model's task. */
export function slotOf({ spec }: Pick<InferenceModel, 'spec'>): 'face' | 'object' {
  return spec.task === 'Face' ? 'face' : 'object';
}

/** The verified revision of a model, else the declared revision; null if neither is known. */
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

export function isSettled(route: InferenceRoute, desired: InferenceModel | undefined): boolean {
  return desired !== undefined && isActive(desired, route);
}

/** @returns null if the model has no role in the route */
export function roleOf(
  model: InferenceModel,
  route: InferenceRoute,
  { now, isSwitching }: { readonly now: number; readonly isSwitching: boolean },
): ModelRole | null {
  if (isActive(model, route)) return 'active';
  const isPrevious = route.status?.previous?.model === nameOf(model);
  if (isPrevious && !isDrained(route)) return 'draining';
  if (requestedOf(route) === nameOf(model)) return 'desired';
  // During a switch, the previous model is not kept, because the newly requested model needs the memory.
  if (isPrevious && !isSwitching && now < keptUntil(route)) return 'kept';
  return null;
}
