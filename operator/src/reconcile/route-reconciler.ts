import {
  INFERENCE_ROUTES,
  type InferenceRoute,
} from '@sightline/contracts/cluster/inference-route';
import { requestedOf } from '@sightline/contracts/cluster/inference-route-rules';
import { type EventRecorderDeps, recordEvent } from '../apply/event-recorder.ts';
import { type StatusWriterDeps, writeStatus } from '../apply/status-writer.ts';
import type { PodReader } from '../observe/pod-reader.ts';
import type { Watched } from '../observe/watched.ts';
import { hostNameOf, nameOf } from '../plan/hosts.ts';
import { planRoute } from '../plan/plan-route.ts';
import type { RouteSnapshot } from '../plan/route-facts.ts';
import { countPods } from '../plan/pod-counts.ts';
import { revisionOf } from '../plan/roles.ts';
import { keyOf, parseKey } from '@sightline/kube/object-key';
import { routeEvents } from './route-events.ts';

/** The fields and conditions of a route's status that the worker writes. */
const WORKER_PART = { fields: ['active', 'previous', 'reembedding'], conditions: ['Activated'] };

export interface RouteReconcilerDeps extends StatusWriterDeps, EventRecorderDeps {
  readonly client: StatusWriterDeps['client'] & EventRecorderDeps['client'];
  readonly watched: Watched;
  readonly pods: PodReader;
  /** The time in ms since 1970. */
  readonly now: () => number;
  /** Called after each switch with the seconds since its request. */
  readonly switched: (seconds: number) => void;
  readonly stalled: () => void;
}

/** Writes the desired model, the available model and the phase into the status of routes. */
export class RouteReconciler {
  readonly #deps: RouteReconcilerDeps;

  constructor(deps: RouteReconcilerDeps) {
    this.#deps = deps;
  }

  /**
   * @param key `namespace/name`
   * @returns the time in ms after which the route is reconciled again; null if only a change leads to that
   * @throws LeadershipLost, KubeRefusal, KubeUnavailable, the signal's reason
   */
  async reconcile(key: string, signal: AbortSignal): Promise<number | null> {
    const { watched } = this.#deps;
    const { namespace } = parseKey(key);
    const route = watched.routes(namespace).find((other) => keyOf(other) === key);
    if (route === undefined || route.metadata.deletionTimestamp !== undefined) return null;
    const { status, switchSeconds, requeueAfterMs } = planRoute(await this.#observe(route, signal));
    const write = { resource: INFERENCE_ROUTES, object: route, status, others: WORKER_PART };
    if (!(await writeStatus(this.#deps, write, signal))) return requeueAfterMs;
    if (switchSeconds !== null) this.#deps.switched(switchSeconds);
    if (status.phase === 'Stalled' && route.status?.phase !== 'Stalled') this.#deps.stalled();
    for (const event of routeEvents(route.status, status)) {
      await recordEvent(this.#deps, { about: route, event }, signal);
    }
    return requeueAfterMs;
  }

  async #observe(route: InferenceRoute, signal: AbortSignal): Promise<RouteSnapshot> {
    const { watched, now } = this.#deps;
    const namespace = route.metadata.namespace ?? '';
    const models = watched.models(namespace);
    const named = (name: string | undefined) => models.find((model) => nameOf(model) === name);
    const desired = named(requestedOf(route));
    const host = desired === undefined ? undefined : named(hostNameOf(desired));
    const previous = named(route.status?.previous?.model);
    const podsOf = (model: typeof previous) => this.#pods(model, namespace, signal);
    const pods = await podsOf(desired);
    const revision = previous === undefined ? null : revisionOf(previous);
    const requested = countPods(await podsOf(previous), { revision, desired: 0 }).requested;
    const podsDesired = host?.spec.replicas ?? 0;
    return { now: now(), route, models, pods, podsDesired, previousRequested: requested };
  }

  async #pods(
    model: Parameters<typeof hostNameOf>[0] | undefined,
    namespace: string,
    signal: AbortSignal,
  ) {
    const { watched, pods } = this.#deps;
    if (model === undefined) return [];
    return pods.read(watched.pods(hostNameOf(model), 'inference', namespace), signal);
  }
}
