import type {
  InferenceModel,
  InferenceModelStatus,
} from '@sightline/contracts/cluster/inference-model';
import type { InferenceRoute } from '@sightline/contracts/cluster/inference-route';
import { shortRevision, requestedOf } from '@sightline/contracts/cluster/inference-route-rules';
import { podSelector } from './labels.ts';
import { type LastFailure, follow, type Failure } from './failures.ts';
import { hostNameOf, nameOf } from './hosts.ts';
import { knownFailure, loadFailure } from './loading.ts';
import { modelConditions } from './model-conditions.ts';
import type { ModelContext, ModelFacts } from './model-facts.ts';
import { countPods } from './pod-counts.ts';
import { runtimeStatus } from './runtime-status.ts';
import { revisionOf, slotOf } from './roles.ts';
import { toTime } from './time.ts';

type State = NonNullable<InferenceModelStatus['state']>;

export function planModel(model: InferenceModel, context: ModelContext): InferenceModelStatus {
  const facts = factsOf(model, context);
  const conditions = modelConditions(facts);
  const isReady = conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
  const lastFailure = facts.failure ?? (isReady ? undefined : shownFailure(facts));
  return {
    observedGeneration: model.metadata.generation ?? 0,
    state: stateOf(facts),
    conditions,
    ...packOf(facts),
    ...podsOf(facts),
    ...fetchOf(facts),
    ...(lastFailure !== undefined && { lastFailure }),
    routes: routesOf(model, context.routes),
  };
}

function factsOf(model: InferenceModel, context: ModelContext): ModelFacts {
  const { pods, podsDesired, demand, fetch } = context;
  const isLoaded = demand.keep === 'loaded';
  const revision = fetch.pack?.revision ?? revisionOf(model);
  const counts = countPods(pods, { revision, desired: isLoaded ? podsDesired : 0 });
  const facts = { ...context, model, counts, isVerified: fetch.pack !== null };
  return { ...facts, failure: findFailure(facts) };
}

/** The last failure, which remains in the status until the model is ready. A successful fetch removes earlier failures. */
function shownFailure({ model, isVerified }: ModelFacts): LastFailure | undefined {
  return isVerified ? knownFailure(model) : model.status?.lastFailure;
}

function findFailure(facts: Omit<ModelFacts, 'failure'>): LastFailure | null {
  const { model, demand, fetch, isVerified, now } = facts;
  if (model.spec.suspend || demand.keep === 'nothing') return null;
  if (!isVerified && fetch.lastFailure !== null) return fetch.lastFailure;
  const failure = immediateFailure(facts);
  const key = model.metadata.uid ?? nameOf(model);
  if (failure !== null) return follow(failure, model.status?.lastFailure, { key, now });
  return isVerified && demand.keep === 'loaded' ? loadFailure(model, facts) : null;
}

/** The missing requirement, or else the failure that keeps the fetch from running. */
function immediateFailure({
  demand,
  fetch,
  missing,
  isVerified,
  counts,
}: Omit<ModelFacts, 'failure'>): Failure | null {
  const isHeld = isVerified && (demand.keep !== 'loaded' || counts.isWarm);
  return missingFor(missing, isHeld) ?? (isVerified ? null : fetch.failure);
}

/**
 * The missing requirement, unless it does not matter: a missing installation is ignored if the pods or files of the
 * model are already as desired, because it is only needed to create them.
 */
function missingFor(missing: Failure | null, isHeld: boolean): Failure | null {
  return isHeld && missing?.reason !== 'PodsOfMissing' ? null : missing;
}

function stateOf(facts: ModelFacts): State {
  const { model, demand, counts } = facts;
  if (model.metadata.deletionTimestamp !== undefined) return 'Deleting';
  if (demand.role === 'active' && !counts.isServed) return 'NotServing';
  if (model.spec.suspend) return 'Suspended';
  if (demand.role === 'active') return 'Active';
  if (demand.role === 'draining' || demand.role === 'kept') return 'Draining';
  return preparationState(facts);
}

/** The failures because of which the preparation of a model cannot begin. */
const PENDING_REASONS: readonly LastFailure['reason'][] = ['PodsOfMissing', 'InstallationMissing'];

function preparationState({ demand, failure, isVerified, counts }: ModelFacts): State {
  if (demand.keep === 'nothing') return 'Available';
  if (failure !== null) return PENDING_REASONS.includes(failure.reason) ? 'Pending' : 'Failed';
  if (!isVerified) return 'Fetching';
  if (demand.keep !== 'loaded') return 'Verified';
  return counts.isWarm ? 'Warm' : 'Warming';
}

function packOf({ fetch, model }: ModelFacts): Pick<InferenceModelStatus, 'pack'> {
  const pack = fetch.pack ?? model.status?.pack;
  if (pack === undefined) return {};
  const { revision } = pack;
  return {
    pack: { ...pack, ...(revision !== undefined && { shortRevision: shortRevision(revision) }) },
  };
}

function podsOf({ model, counts, deployment, missing, pods }: ModelFacts) {
  const { desired, onDisk, warm, requested } = counts;
  const isHost = model.spec.podsOf === undefined;
  return {
    ...(missing?.reason !== 'PodsOfMissing' && { host: hostNameOf(model) }),
    pods: { desired, onDisk, warm, requested, summary: `${warm}/${desired}` },
    ...(isHost && { replicas: deployment?.replicas ?? 0, selector: selectorOf(nameOf(model)) }),
    ...(isHost && runtimeStatus(pods, model.status)),
  };
}

function selectorOf(host: string): string {
  const labels = Object.entries(podSelector(host, 'inference'));
  return labels.map(([key, value]) => `${key}=${value}`).join(',');
}

function fetchOf({ fetch }: ModelFacts): Pick<InferenceModelStatus, 'fetch'> {
  const { progress, attempt, startedAt } = fetch;
  if (startedAt === null) return {};
  const { bytes = 0, totalBytes = null } = progress ?? {};
  return {
    fetch: {
      bytes,
      ...(totalBytes !== null && { totalBytes }),
      attempt,
      startedAt: toTime(startedAt),
    },
  };
}

/** The routes that need a model. The deletion policy reads them from the status. */
function routesOf(model: InferenceModel, routes: readonly InferenceRoute[]): readonly string[] {
  const name = nameOf(model);
  const naming = routes.filter((route) => {
    if (route.metadata.name !== slotOf(model)) return false;
    return requestedOf(route) === name || route.status?.active?.model === name;
  });
  return naming.map((route) => route.metadata.name).toSorted();
}
