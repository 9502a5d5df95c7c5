import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import type {
  InferenceRoute,
  InferenceRouteStatus,
} from '@sightline/contracts/cluster/inference-route';
import { shortRevision, requestedOf } from '@sightline/contracts/cluster/inference-route-rules';
import {
  drainDeadline,
  drainIsOver,
  PREVIOUS_COUNTS_MS,
  isDrained,
  keptUntil,
  switchedAt,
} from './drain.ts';
import { nameOf } from './hosts.ts';
import { REST_MS, TRANSITION_MS } from './requeue-after.ts';
import { availabilityOf } from './pods-availability.ts';
import { isSettled, slotOf } from './roles.ts';
import { routeConditions } from './route-conditions.ts';
import type { RouteFacts, RoutePhase, RouteSnapshot } from './route-facts.ts';
import { phaseOf } from './route-phase.ts';
import { fromTime, toTime } from './time.ts';

/** The operator's part of a route's status. */
export type RouteStatusPart = Pick<
  InferenceRouteStatus,
  | 'observedGeneration'
  | 'phase'
  | 'conditions'
  | 'desired'
  | 'available'
  | 'switches'
  | 'lastSwitchSeconds'
>;

export interface RoutePlan {
  readonly status: RouteStatusPart;
  /** The duration in s of a switch that ends with this plan; null if none ends. */
  readonly switchSeconds: number | null;
  /** The time in ms after which the route is planned again without a change; null for never. */
  readonly requeueAfterMs: number | null;
}

/** Plans a route. The same snapshot always leads to the same plan. */
export function planRoute(snapshot: RouteSnapshot): RoutePlan {
  const facts = factsOf(snapshot);
  const phase = phaseOf(facts);
  const { route } = facts;
  const switchSeconds = hasSwitched(facts, phase) ? switchTime(facts) : null;
  const switches = (route.status?.switches ?? 0) + (switchSeconds === null ? 0 : 1);
  const lastSwitchSeconds = switchSeconds ?? route.status?.lastSwitchSeconds;
  return {
    status: {
      observedGeneration: route.metadata.generation ?? 0,
      phase,
      conditions: routeConditions(facts, phase),
      desired: desiredStatus(facts),
      ...(facts.availability !== null && { available: facts.availability }),
      switches,
      ...(lastSwitchSeconds !== undefined && { lastSwitchSeconds }),
    },
    switchSeconds,
    requeueAfterMs: requeueRouteAfter(facts, phase),
  };
}

function factsOf(snapshot: RouteSnapshot): RouteFacts {
  const { now, route, models, pods, podsDesired, previousRequested } = snapshot;
  const name = requestedOf(route);
  const model = models.find((other) => nameOf(other) === name);
  const unfit = unfitness(route, model);
  const revision = model?.status?.pack?.revision;
  const availability =
    revision === undefined || unfit !== null
      ? null
      : availabilityOf(route, { now, revision, pods, podsDesired });
  const settled = isSettled(route, model);
  const desiredSince = sinceOf(snapshot);
  const since = Math.max(desiredSince, fromTime(availability?.since) ?? 0);
  const isDue = now >= since + route.spec.progressDeadlineSeconds * 1000;
  return {
    ...snapshot,
    model,
    revision,
    isSettled: settled,
    isDrained: drainIsOver(route, { now, requested: previousRequested }),
    unfit,
    availability,
    desiredSince,
    isLate: !settled && isDue,
  };
}

function unfitness(route: InferenceRoute, model: InferenceModel | undefined): string | null {
  if (model === undefined) return `There is no InferenceModel ${requestedOf(route) ?? ''}.`;
  if (slotOf(model) === route.metadata.name) return null;
  return `InferenceModel ${nameOf(model)} is for the task ${model.spec.task}.`;
}

/** The time of the request for the desired model, in ms since 1970. */
function sinceOf({ route, now }: RouteSnapshot): number {
  const known = route.status?.desired;
  return (known?.model === requestedOf(route) ? fromTime(known?.since) : null) ?? now;
}

function desiredStatus({
  route,
  revision,
  desiredSince,
}: RouteFacts): InferenceRouteStatus['desired'] {
  return {
    model: requestedOf(route) ?? '',
    ...(revision !== undefined && { revision, shortRevision: shortRevision(revision) }),
    since: toTime(desiredSince),
  };
}

const ENDED: readonly (RoutePhase | undefined)[] = ['Idle', 'Draining'];

/**
 * Whether a switch ends with this plan. A request that was withdrawn ends without a switch. The times of request and
 * switch are not compared, because the worker writes the latter by its own clock.
 */
function hasSwitched({ route }: RouteFacts, phase: RoutePhase): boolean {
  const { status } = route;
  if (!ENDED.includes(phase) || ENDED.includes(status?.phase)) return false;
  const { desired, active } = status ?? {};
  return desired?.model === requestedOf(route) && desired?.revision === active?.revision;
}

/**
 * The seconds from the request until the switch. It is at least 0, because the worker's clock, which gives the time
 * of the switch, may be behind.
 */
function switchTime({ route, desiredSince }: RouteFacts): number {
  return Math.max(Math.round((switchedAt(route) - desiredSince) / 1000), 0);
}

function requeueRouteAfter(
  { route, now, isDrained: drained, pods, desiredSince }: RouteFacts,
  phase: RoutePhase,
): number | null {
  const { progressDeadlineSeconds } = route.spec;
  const due = [
    switchedAt(route) + PREVIOUS_COUNTS_MS,
    drainDeadline(route),
    desiredSince + progressDeadlineSeconds * 1000,
    ...(isDrained(route) ? [keptUntil(route)] : []),
  ].flatMap((at) => (at > now && Number.isFinite(at) ? [at - now] : []));
  const isMoving = !drained || phase === 'Preparing' || phase === 'Available';
  if (pods.length > 0) due.push(isMoving ? TRANSITION_MS : REST_MS);
  return due.length === 0 ? null : Math.min(...due);
}
