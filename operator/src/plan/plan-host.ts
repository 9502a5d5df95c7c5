import type { DesiredModels } from '@sightline/contracts/cluster/desired-models';
import type {
  InferenceModel,
  InferenceModelStatus,
} from '@sightline/contracts/cluster/inference-model';
import { type Demand, demandsOf } from './demands.ts';
import type { Failure } from './failures.ts';
import { type FetchPlan, planFetch } from './fetch.ts';
import { nameOf } from './hosts.ts';
import { deferredModels } from './loading.ts';
import { requeueAfter } from './requeue-after.ts';
import { planModel } from './plan-model.ts';
import { podsDesired, desiredModels } from './serving.ts';
import type { HostSnapshot } from './snapshot.ts';

/** The desired objects of a host and its guests, and their statuses. */
export interface HostPlan {
  readonly serving: DesiredModels;
  /** The desired number of the host's pods; null if the host has no Deployment and needs none. */
  readonly replicas: number | null;
  /** The fetches by the name of the model. */
  readonly fetches: ReadonlyMap<string, FetchPlan>;
  /** The statuses by the name of the model. */
  readonly statuses: ReadonlyMap<string, InferenceModelStatus>;
  /** The time in ms after which the host is planned again without a change; null for never. */
  readonly requeueAfterMs: number | null;
}

const NOTHING: Demand = { keep: 'nothing', role: null, waits: false };

/** Plans a host with its guests. The same snapshot always leads to the same plan. */
export function planHost(snapshot: HostSnapshot): HostPlan {
  const { now, host, guests, routes, deployment, pods } = snapshot;
  const models = [host, ...guests];
  const demands = demandsOf(models, routes, now);
  const loads = models.map((model) => ({ model, demand: demands.get(nameOf(model)) ?? NOTHING }));
  const held = deferredModels(loads, { now, pods });
  const planned = loads.map(({ model, demand }) => {
    const fetch = planFetchOf(model, demand, snapshot);
    return { model, demand, fetch, pack: fetch.pack, isDeferred: held.has(model) };
  });
  const desired = podsDesired(host, planned);
  const missing = toFailure('InstallationMissing', snapshot.notInstalled);
  const { rollout } = host.spec;
  const refusal = refusalOf(snapshot);
  const context = {
    now,
    routes,
    pods,
    podsDesired: desired,
    rollout,
    deployment,
    missing,
    refusal,
  };
  const statuses = planned.map(({ model, demand, fetch, isDeferred }) => {
    const status = planModel(model, { ...context, demand, fetch, isDeferred });
    return [nameOf(model), status] as const;
  });
  return {
    serving: desiredModels(planned),
    replicas: desired === 0 && deployment === null ? null : desired,
    fetches: new Map(planned.map(({ model, fetch }) => [nameOf(model), fetch])),
    statuses: new Map(withRoutesOfGuests(host, statuses)),
    requeueAfterMs: requeueAfter(
      snapshot,
      statuses.map(([, status]) => status),
    ),
  };
}

/** Why the API server rejects new pods of the host; null if it accepts them. */
function refusalOf({ refusal, deployment }: HostSnapshot): Failure | null {
  return toFailure('Refused', refusal) ?? toFailure('Unschedulable', deployment?.refusal ?? null);
}

function toFailure(reason: Failure['reason'], message: string | null): Failure | null {
  return message === null ? null : { reason, message };
}

/** The status of a guest without a valid host. */
export function planGuestWithoutHost(
  guest: InferenceModel,
  { now, missing, routes }: Pick<HostSnapshot, 'now' | 'routes'> & { readonly missing: Failure },
): InferenceModelStatus {
  const demand = demandsOf([guest], routes, now).get(nameOf(guest)) ?? NOTHING;
  const context = { now, keep: demand.keep, isInstalled: false, requireDigests: false };
  const fetch = planFetch(guest, { ...context, job: undefined });
  const none = { pods: [], podsDesired: 0, deployment: null, refusal: null, isDeferred: false };
  const { rollout } = guest.spec;
  return planModel(guest, { now, routes, demand, fetch, missing, rollout, ...none });
}

function planFetchOf(model: InferenceModel, { keep }: Demand, snapshot: HostSnapshot): FetchPlan {
  const { now, notInstalled, requireDigests, fetches, fetchRefusals } = snapshot;
  const job = fetches.get(nameOf(model));
  const isInstalled = notInstalled === null;
  const plan = planFetch(model, { now, keep, isInstalled, requireDigests, job });
  const refused = toFailure('Refused', fetchRefusals.get(nameOf(model)) ?? null);
  return refused === null ? plan : { ...plan, failure: refused };
}

/** Adds the routes of the guests to the status of the host, because these routes need the host as well. */
function withRoutesOfGuests(
  host: InferenceModel,
  statuses: readonly (readonly [string, InferenceModelStatus])[],
): readonly (readonly [string, InferenceModelStatus])[] {
  const all = new Set(statuses.flatMap(([, { routes = [] }]) => routes));
  return statuses.map(([name, status]) => {
    const routes = name === nameOf(host) ? [...all].toSorted() : status.routes;
    return [name, { ...status, routes }] as const;
  });
}
