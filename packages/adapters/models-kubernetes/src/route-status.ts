import type { DeclaredModel, RouteFacts } from '@sightline/core/models/model-routes';
import type {
  InferenceRoute,
  InferenceRouteStatus,
} from '@sightline/kube/resources/inference-route';
import { conditionOf, GAVE_WAY, wantedName } from './declared-route.ts';

/** The worker's part of a route's status. */
export type WorkerStatus = Pick<
  InferenceRouteStatus,
  'active' | 'previous' | 'reembedding' | 'conditions'
>;

export interface StatusContext {
  readonly route: InferenceRoute;
  readonly models: readonly DeclaredModel[];
  /** RFC 3339, in whole seconds. */
  readonly now: string;
}

const SHORT = 12;

/** What a worker writes of what the database says. Times move with what they are of. */
export function routeStatus(facts: RouteFacts, context: StatusContext): WorkerStatus {
  const { reembedding } = facts;
  const active = activeStatus(facts, context);
  const previous = previousStatus(active, context);
  return {
    ...(active !== undefined && { active }),
    ...(previous !== undefined && { previous }),
    ...(reembedding !== null && {
      reembedding: { ...reembedding, summary: `${reembedding.done}/${reembedding.total}` },
    }),
    conditions: [activatedCondition(facts, context)],
  };
}

function activeStatus(
  { active }: RouteFacts,
  { route, models, now }: StatusContext,
): WorkerStatus['active'] {
  if (active === null) return undefined;
  const { name, revision } = active;
  const known = route.status?.active;
  return {
    model: nameOfRevision(revision, route, models),
    name,
    revision,
    shortRevision: revision.slice(0, SHORT),
    since: known?.revision === revision ? known.since : now,
  };
}

/** Two may have the same bytes: the one that the route names. */
function nameOfRevision(
  revision: string,
  route: InferenceRoute,
  models: readonly DeclaredModel[],
): string {
  const having = models.filter((model) => model.revision === revision);
  const named = having.find(({ name }) => name === wantedName(route));
  return (named ?? having[0])?.name ?? '';
}

/** What answered before the last change, as the route itself told. */
function previousStatus(
  active: WorkerStatus['active'],
  { route, now }: StatusContext,
): WorkerStatus['previous'] {
  const told = route.status?.active;
  if (told === undefined || told.revision === active?.revision) return route.status?.previous;
  const { model = '', revision } = told;
  return { model, revision, shortRevision: revision.slice(0, SHORT), since: now };
}

interface Finding {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

function activatedCondition(
  facts: RouteFacts,
  { route, models, now }: StatusContext,
): NonNullable<WorkerStatus['conditions']>[number] {
  const found = findingOf(facts, route, models);
  const before = conditionOf(route, 'Activated');
  return {
    type: 'Activated',
    ...found,
    observedGeneration: route.metadata.generation ?? 0,
    lastTransitionTime: before?.status === found.status ? before.lastTransitionTime : now,
  };
}

function findingOf(
  { active, reembedding, gaveWay }: RouteFacts,
  route: InferenceRoute,
  models: readonly DeclaredModel[],
): Finding {
  const name = wantedName(route) ?? '';
  const revision = models.find((model) => model.name === name)?.revision ?? null;
  if (revision !== null && active?.revision === revision) {
    return { status: 'True', reason: 'Active', message: `${name} answers.` };
  }
  if (gaveWay !== null) return { status: 'False', reason: GAVE_WAY, message: gaveWay };
  if (reembedding !== null) {
    return {
      status: 'False',
      reason: 'Reembedding',
      message: 'Enrolled faces get embeddings of the wanted model.',
    };
  }
  return {
    status: 'False',
    reason: 'Waiting',
    message: 'The database has not the wanted model yet.',
  };
}
