import type { InferenceRoute, InferenceRouteStatus } from './inference-route.ts';

type Condition = NonNullable<InferenceRouteStatus['conditions']>[number];

/** Reason of the condition `Activated` of a route whose wanted model gave way, or whose job was cancelled. */
export const GAVE_WAY = 'GaveWay';

/** Of a route or a model. */
export function conditionOf(
  conditions: readonly Condition[] | undefined,
  type: string,
): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** The model that is to answer; none is told apart from one that does not exist by the caller. */
export function wantedOf({ spec }: Pick<InferenceRoute, 'spec'>): string | undefined {
  return spec.model ?? spec.defaultModel;
}

/** Whether a person has to name the revision first. Where nothing answers there is nothing to embed anew. */
export function asksForApproval({ spec, status }: InferenceRoute): boolean {
  return spec.reembed === 'Block' && status?.active !== undefined;
}

/** Whether the worker has given this very wish up, or one before it; null: neither. */
export function gaveWayOf({ metadata, status }: InferenceRoute): 'this' | 'former' | null {
  const activated = conditionOf(status?.conditions, 'Activated');
  if (activated?.reason !== GAVE_WAY) return null;
  return activated.observedGeneration === metadata.generation ? 'this' : 'former';
}

const SHORT = 12;

/** A revision as people read it. */
export function shortRevision(revision: string): string {
  return revision.slice(0, SHORT);
}
