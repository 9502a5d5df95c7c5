import type { InferenceRoute, InferenceRouteStatus } from './inference-route.ts';

type Condition = NonNullable<InferenceRouteStatus['conditions']>[number];

/**
 * The reason of the condition `Activated` if the worker rolled back the requested model or its activation job was
 * cancelled.
 */
export const ROLLED_BACK = 'RolledBack';

export function conditionOf(
  conditions: readonly Condition[] | undefined,
  type: string,
): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** The name of the requested InferenceModel, which need not exist. */
export function requestedOf({ spec }: Pick<InferenceRoute, 'spec'>): string | undefined {
  return spec.model ?? spec.defaultModel;
}

/**
 * Whether a person has to approve the new revision. The first model of a route needs no approval, because no
 * embeddings have to be recomputed.
 */
export function asksForApproval({ spec, status }: InferenceRoute): boolean {
  return spec.reembed === 'Block' && status?.active !== undefined;
}

/**
 * Whether the last rollback concerns the current request or a previous one; null if the worker has not rolled back.
 */
export function rolledBackOf({ metadata, status }: InferenceRoute): 'this' | 'previous' | null {
  const activated = conditionOf(status?.conditions, 'Activated');
  if (activated?.reason !== ROLLED_BACK) return null;
  return activated.observedGeneration === metadata.generation ? 'this' : 'previous';
}

const SHORT = 12;

/** The first digits of a revision, for messages. */
export function shortRevision(revision: string): string {
  return revision.slice(0, SHORT);
}
