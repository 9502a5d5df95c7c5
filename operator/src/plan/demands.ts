import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import type { InferenceRoute } from '@sightline/contracts/cluster/inference-route';
import { requestedOf } from '@sightline/contracts/cluster/inference-route-rules';
import { nameOf } from './hosts.ts';
import { isSettled, type ModelRole, roleOf, ROLES, slotOf } from './roles.ts';

/**
 * How far a model must be prepared: not at all, with its files in the model store, with its files on the disks of pods, or
 * loaded in pods.
 */
export type Keep = 'nothing' | 'store' | 'disk' | 'loaded';

export interface Demand {
  readonly keep: Keep;
  /** The role of the model in its route; null if the route does not refer to it. */
  readonly role: ModelRole | null;
  /** Whether the model should be loaded, but must wait because the pods load two other models of its task. */
  readonly waits: boolean;
}

/** The number of models of a task that pods load at the same time: the active and the pending model. */
export const SETS_PER_TASK = 2;

const KEPT_BY_STANDBY = { None: 'nothing', Store: 'store', Disk: 'disk', Warm: 'loaded' } as const;

/** The demand for each model in the pods of a host, by the name of the model. */
export function demandsOf(
  models: readonly InferenceModel[],
  routes: readonly InferenceRoute[],
  now: number,
): ReadonlyMap<string, Demand> {
  const demands = new Map<string, Demand>();
  for (const slot of ['face', 'object'] as const) {
    const route = routes.find(({ metadata }) => metadata.name === slot);
    const ofTask = models.filter((model) => slotOf(model) === slot);
    for (const [name, demand] of demandsOfTask(ofTask, route, now)) demands.set(name, demand);
  }
  return demands;
}

function demandsOfTask(
  models: readonly InferenceModel[],
  route: InferenceRoute | undefined,
  now: number,
): ReadonlyMap<string, Demand> {
  const requested = models.map((model) => {
    const role = route === undefined ? null : roleIn(models, { model, route, now });
    return { model, role, keep: requestedKeep(model, role) };
  });
  const inOrder = requested
    .filter(({ keep }) => keep === 'loaded')
    .toSorted((a, b) => rank(a.role) - rank(b.role));
  const loaded = new Set(inOrder.slice(0, SETS_PER_TASK).map(({ model }) => model));
  return new Map(
    requested.map(({ model, role, keep }) => {
      const waits = keep === 'loaded' && !loaded.has(model);
      return [nameOf(model), { keep: waits ? 'disk' : keep, role, waits }] as const;
    }),
  );
}

function roleIn(
  models: readonly InferenceModel[],
  candidate: {
    readonly model: InferenceModel;
    readonly route: InferenceRoute;
    readonly now: number;
  },
): ModelRole | null {
  const { model, route, now } = candidate;
  const desired = models.find((other) => nameOf(other) === requestedOf(route));
  // If the requested model belongs to another host, it needs no memory in these pods, so nothing must make room for
  // it.
  const isSwitching = desired !== undefined && !isSettled(route, desired);
  return roleOf(model, route, { now, isSwitching });
}

function requestedKeep(model: InferenceModel, role: ModelRole | null): Keep {
  if (model.spec.suspend || model.metadata.deletionTimestamp !== undefined) return 'nothing';
  return role === null ? KEPT_BY_STANDBY[model.spec.standby] : 'loaded';
}

/** The priority of a model in the pods; 0 is the highest. Models without a role come last. */
export function rank(role: ModelRole | null): number {
  return role === null ? ROLES.length : ROLES.indexOf(role);
}
