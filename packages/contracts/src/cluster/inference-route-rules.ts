import type { InferenceRoute, InferenceRouteStatus } from './inference-route.ts';

type Condition = NonNullable<InferenceRouteStatus['conditions']>[number];

/** The reason of the condition `Activated` if the requested model was rolled back, or its job was cancelled. */
export const ROLLED_BACK = 'RolledBack';

/** The condition of a route or a model with this type. */
export function conditionOf(
  conditions: readonly Condition[] | undefined,
  type: string,
): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** The name of the requested model; the caller checks whether it exists. */
export function requestedOf({ spec }: Pick<InferenceRoute, 'spec'>): string | undefined {
  return spec.model ?? spec.defaultModel;
}

/** Whether a person has to approve the revision first. Without an active model no embeddings have to be recomputed. */
export function asksForApproval({ spec, status }: InferenceRoute): boolean {
  return spec.reembed === 'Block' && status?.active !== undefined;
}

/** Whether the worker rolled back this request or a previous one; null if neither. */
export function rolledBackOf({ metadata, status }: InferenceRoute): 'this' | 'previous' | null {
  const activated = conditionOf(status?.conditions, 'Activated');
  if (activated?.reason !== ROLLED_BACK) return null;
  return activated.observedGeneration === metadata.generation ? 'this' : 'previous';
}

const SHORT = 12;

/** A revision as people read it. */
export function shortRevision(revision: string): string {
  return revision.slice(0, SHORT);
}
