import type { SlotOutcome } from '@sightline/core/activation/rollout-source';
import type { DeclaredModel } from '@sightline/core/models/declared-models';
import type {
  InferenceRoute,
  InferenceRouteStatus,
} from '@sightline/contracts/cluster/inference-route';
import {
  conditionOf,
  ROLLED_BACK,
  shortRevision,
  requestedOf,
} from '@sightline/contracts/cluster/inference-route-rules';
import { generationOf } from './desired-slot.ts';

/** The worker's part of a route's status. */
export type WorkerStatus = Pick<
  InferenceRouteStatus,
  'active' | 'previous' | 'reembedding' | 'conditions'
>;

export interface StatusContext {
  readonly route: InferenceRoute;
  readonly models: readonly DeclaredModel[];
  /** The current time in RFC 3339, in whole seconds. */
  readonly now: string;
}

/**
 * Computes the worker's part of a status from the state of the database. A `since` keeps its time as long as the
 * model that it belongs to stays the same.
 */
export function routeStatus(outcome: SlotOutcome, context: StatusContext): WorkerStatus {
  const { reembedding } = outcome;
  const active = activeStatus(outcome, context);
  const previous = previousStatus(active, context);
  return {
    ...(active !== undefined && { active }),
    ...(previous !== undefined && { previous }),
    ...(reembedding !== null && {
      reembedding: { ...reembedding, summary: `${reembedding.done}/${reembedding.total}` },
    }),
    conditions: [activatedCondition(outcome, active, context)],
  };
}

function activeStatus(
  { active }: SlotOutcome,
  { route, models, now }: StatusContext,
): WorkerStatus['active'] {
  if (active === null) return undefined;
  const { name, revision } = active;
  const known = route.status?.active;
  return {
    model: nameOfRevision(revision, route, models),
    name,
    revision,
    shortRevision: shortRevision(revision),
    since: known?.revision === revision ? known.since : now,
  };
}

/**
 * The name of the active model. Two models with pods of their own may have the same revision. The previously active one
 * stays active until the desired model is available: otherwise the operator would delete the pods that serve requests.
 */
function nameOfRevision(
  revision: string,
  route: InferenceRoute,
  models: readonly DeclaredModel[],
): string {
  const names = models.filter((model) => model.revision === revision).map(({ name }) => name);
  const [desired, known] = [requestedOf(route), route.status?.active?.model].map((name) =>
    names.find((other) => other === name),
  );
  const inOrder = isAvailableNow(route) ? [desired, known] : [known, desired];
  return inOrder.find((name) => name !== undefined) ?? names[0] ?? '';
}

/** Whether the model that the route requests now is available; the condition may be about an earlier request. */
function isAvailableNow(route: InferenceRoute): boolean {
  const available = conditionOf(route.status?.conditions, 'Available');
  return available?.status === 'True' && available.observedGeneration === generationOf(route);
}

/**
 * The previously active model: the active one of the route's current status if another model is active now, otherwise
 * the previous one of that status.
 */
function previousStatus(
  active: WorkerStatus['active'],
  { route, now }: StatusContext,
): WorkerStatus['previous'] {
  const known = route.status?.active;
  if (known === undefined || known.revision === active?.revision) return route.status?.previous;
  const { model = '', revision } = known;
  return { model, revision, shortRevision: shortRevision(revision), since: now };
}

interface Finding {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

function activatedCondition(
  outcome: SlotOutcome,
  active: WorkerStatus['active'],
  { route, now }: StatusContext,
): NonNullable<WorkerStatus['conditions']>[number] {
  const found = findingOf(outcome, active, route);
  const before = conditionOf(route.status?.conditions, 'Activated');
  return {
    type: 'Activated',
    ...found,
    observedGeneration: generationOf(route),
    lastTransitionTime: before?.status === found.status ? before.lastTransitionTime : now,
  };
}

function findingOf(
  { reembedding, rolledBack }: SlotOutcome,
  active: WorkerStatus['active'],
  route: InferenceRoute,
): Finding {
  const name = requestedOf(route);
  if (active?.model !== undefined && active.model === name) {
    return { status: 'True', reason: 'Active', message: `${name} serves requests.` };
  }
  if (rolledBack !== null) return { status: 'False', reason: ROLLED_BACK, message: rolledBack };
  if (reembedding !== null) {
    return {
      status: 'False',
      reason: 'Reembedding',
      message: 'The worker computes embeddings of enrolled faces with the desired model.',
    };
  }
  return {
    status: 'False',
    reason: 'Waiting',
    message: 'The database has not activated the desired model yet.',
  };
}
