import type { KubeClient } from '@sightline/kube/kube-client';
import {
  INFERENCE_MODELS,
  type InferenceModel,
} from '@sightline/contracts/cluster/inference-model';
import { INFERENCE_ROUTES } from '@sightline/contracts/cluster/inference-route';
import type { Logger } from '@sightline/platform/logging/logger';
import type { Clock } from '@sightline/platform/resilience/clock';
import { aboutFailure } from './about-failure.ts';
import { ChildWriter } from './apply/child-writer.ts';
import { Written } from '@sightline/kube/written';
import { INSTALLATION_NAME } from './children/installation.ts';
import { PODS } from './children/kinds.ts';
import { MODEL_LABEL } from './plan/labels.ts';
import { hostKeyOf, ModelReconciler } from './reconcile/model-reconciler.ts';
import { type Poll, PodPoller } from './observe/pod-poller.ts';
import { PodReader } from './observe/pod-reader.ts';
import { type Changed, Watched } from './observe/watched.ts';
import type { OperatorMetrics } from './operator-metrics.ts';
import { RouteReconciler } from './reconcile/route-reconciler.ts';
import { Controller, type QueueLoad } from './runtime/controller.ts';
import { keyOf } from '@sightline/kube/object-key';

const MODEL_WORKERS = 4;
const ROUTE_WORKERS = 2;

export interface LeadingOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: OperatorMetrics;
  readonly poll: Poll;
  /** The time in ms since 1970. */
  readonly now: () => number;
  readonly identity: string;
  /** The namespaces whose models the operator runs; null for all. */
  readonly namespaces: readonly string[] | null;
  readonly requireDigests: boolean;
  /** @throws LeadershipLost */
  readonly requireLeader: () => void;
}

/** The work of the leading replica: it watches objects and reconciles them. */
export class Leading {
  readonly watched: Watched;
  readonly #written: Written;
  readonly #poller: PodPoller;
  readonly #children: ChildWriter;
  readonly #models: Controller;
  readonly #routes: Controller;

  constructor(options: LeadingOptions) {
    const { client, clock, logger, metrics, poll, now, identity, namespaces } = options;
    this.#written = new Written(clock);
    this.#poller = new PodPoller({ poll, clock });
    this.watched = new Watched({
      client,
      clock,
      namespaces,
      written: this.#written,
      changed: (what) => this.#enqueue(what),
      failed: (error, { resource: { plural: resource }, namespace }) =>
        logger.warn(
          { ...aboutFailure(error), resource, namespace },
          'a watch failed and will be retried',
        ),
    });
    const { requireDigests, requireLeader } = options;
    const shared = {
      client,
      watched: this.watched,
      written: this.#written,
      requireLeader,
      instance: identity,
      failed: (error: unknown) =>
        logger.warn(aboutFailure(error), 'a Kubernetes Event could not be created'),
      pods: new PodReader({ poller: this.#poller, now }),
      now,
      ...metrics,
    };
    this.#children = new ChildWriter(shared);
    const children = this.#children;
    const models = new ModelReconciler({ ...shared, children, requireDigests });
    const routes = new RouteReconciler(shared);
    const controller = (
      name: string,
      workers: number,
      reconciler: ModelReconciler | RouteReconciler,
    ) =>
      new Controller({
        clock,
        workers,
        reconcile: (key, signal) => reconciler.reconcile(key, signal),
        observer: metrics.observerOf(name),
        failed: (error, key) =>
          logger.warn(
            { ...aboutFailure(error), controller: name, key },
            'a reconciliation failed and will be retried',
          ),
      });
    this.#models = controller('inferencemodel', MODEL_WORKERS, models);
    this.#routes = controller('inferenceroute', ROUTE_WORKERS, routes);
  }

  /** The load of the queues, by controller. */
  get loads(): Readonly<Record<string, QueueLoad>> {
    return { inferencemodel: this.#models.load, inferenceroute: this.#routes.load };
  }

  /**
   * Works until the signal aborts, and until every reconciliation and its requests have ended.
   *
   * @throws the signal's reason
   */
  async run(signal: AbortSignal): Promise<void> {
    const works = [this.watched, this.#models, this.#routes].map((one) => one.run(signal));
    try {
      await Promise.all(works);
    } finally {
      if (signal.aborted) await Promise.allSettled(works);
    }
  }

  #enqueue({ resource, object, isDeleted }: Changed): void {
    const key = keyOf(object);
    const namespace = object.metadata.namespace ?? '';
    if (isDeleted) {
      this.#written.forget(resource, object);
      this.#children.forget(resource, object);
    }
    switch (resource.plural) {
      case INFERENCE_MODELS.plural:
        this.#models.add(key);
        this.#models.add(hostKeyOf(object as InferenceModel));
        this.#addRoutes(namespace);
        return;
      case INFERENCE_ROUTES.plural:
        this.#routes.add(key);
        this.#addHosts(namespace);
        return;
      case PODS.plural:
        if (isDeleted) this.#poller.forget(object);
        this.#addRoutes(namespace);
        break;
    }
    if (object.metadata.name === INSTALLATION_NAME) this.#addHosts(namespace);
    else this.#addHost(object.metadata.labels?.[MODEL_LABEL], namespace);
  }

  #addHost(model: string | undefined, namespace: string): void {
    const found = this.watched.models(namespace).find(({ metadata }) => metadata.name === model);
    if (found !== undefined) this.#models.add(hostKeyOf(found));
  }

  #addHosts(namespace: string): void {
    for (const model of this.watched.models(namespace)) this.#models.add(hostKeyOf(model));
  }

  #addRoutes(namespace: string): void {
    for (const route of this.watched.routes(namespace)) this.#routes.add(keyOf(route));
  }
}
