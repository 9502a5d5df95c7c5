import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type {
  DesiredSlot,
  Published,
  RolloutSource,
  SlotOutcome,
} from '@sightline/core/activation/rollout-source';
import type { DeclaredModel, DeclaredModels } from '@sightline/core/models/declared-models';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import type { KubeClient } from '@sightline/kube/kube-client';
import { KubeRefusal } from '@sightline/kube/kube-errors';
import { apiVersionOf } from '@sightline/kube/kube-object';
import { kubeSource } from '@sightline/kube/kube-source';
import { keyOf } from '@sightline/kube/object-key';
import { Reflector } from '@sightline/kube/reflector';
import {
  INFERENCE_MODELS,
  type InferenceModel,
} from '@sightline/contracts/cluster/inference-model';
import {
  INFERENCE_ROUTES,
  type InferenceRoute,
} from '@sightline/contracts/cluster/inference-route';
import { Written } from '@sightline/kube/written';
import { systemClock } from '@sightline/platform/resilience/clock';
import { asUnavailable } from './as-unavailable.ts';
import { declaredModel } from './declared-model.ts';
import { desiredSlot, generationOf, slotOfRoute } from './desired-slot.ts';
import { routeStatus, type WorkerStatus } from './route-status.ts';

export interface KubeRolloutSourceOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  /** Called with each failure of a list or a watch, before it is retried. */
  readonly failed: (error: unknown) => void;
}

/** How long a read waits for the first list of objects, in ms. */
const FIRST_LIST_MS = 3_000;
/** The field manager of the workers' part of a route's status. */
const FIELD_MANAGER = 'sightline-worker';

/**
 * Reads the desired models from the InferenceRoutes and InferenceModels of a namespace, which it watches from the first
 * read on. Publishes only the status of routes, because the operator sends the desired models to pods.
 */
export class KubeRolloutSource implements RolloutSource, DeclaredModels, AsyncDisposable {
  /**
   * Both slots may switch at the same time. Otherwise one slot could delay the other for days, while it waits for an
   * approval.
   */
  readonly isExclusive = false;
  /** The worker sets no deadline, because the operator enforces the deadline of the route. */
  readonly availableWithinMs = Infinity;
  readonly #options: KubeRolloutSourceOptions;
  readonly #routes: Reflector<InferenceRoute>;
  readonly #models: Reflector<InferenceModel>;
  readonly #stop = new AbortController();
  readonly #written = new Written(systemClock);
  #running: Promise<unknown> | null = null;

  constructor(options: KubeRolloutSourceOptions) {
    this.#options = options;
    const { client, namespace, failed } = options;
    const shared = { clock: systemClock, failed };
    this.#routes = new Reflector<InferenceRoute>({
      ...shared,
      source: kubeSource<InferenceRoute>(client, { resource: INFERENCE_ROUTES, namespace }),
      changed: (route) => {
        if (this.#routes.get(keyOf(route)) === undefined) {
          this.#written.forget(INFERENCE_ROUTES, route);
        }
      },
    });
    this.#models = new Reflector<InferenceModel>({
      ...shared,
      source: kubeSource<InferenceModel>(client, { resource: INFERENCE_MODELS, namespace }),
      changed: () => undefined,
    });
  }

  desired(): Promise<readonly DesiredSlot[]> {
    return this.#read(() => {
      const models = this.#declaredModels();
      return this.#routes.values().flatMap((route) => {
        const slot = slotOfRoute(route);
        return slot === null ? [] : [desiredSlot(slot, route, models)];
      });
    });
  }

  models(): Promise<readonly DeclaredModel[]> {
    return this.#read(() => this.#declaredModels());
  }

  async modelsNow(signal: AbortSignal): Promise<readonly DeclaredModel[]> {
    const { client, namespace } = this.#options;
    const selection = { resource: INFERENCE_MODELS, namespace };
    const { items } = await asUnavailable(() => client.list<InferenceModel>(selection, signal));
    return items.map(declaredModel);
  }

  /** Writes the status of each route, even if one of the writes fails. */
  async publish({ slots }: Pick<Published, 'slots'>, signal: AbortSignal): Promise<void> {
    const reports = await Promise.allSettled(slots.map((slot) => this.#report(slot, signal)));
    for (const report of reports) if (report.status === 'rejected') throw report.reason;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error('The rollout source is closed.'));
    await this.#running;
  }

  async #report(outcome: SlotOutcome, signal: AbortSignal): Promise<void> {
    const { client, namespace } = this.#options;
    const name = outcome.slot;
    const key = `${namespace}/${name}`;
    const route = this.#written.newest(INFERENCE_ROUTES, key, this.#routes.get(key));
    // An outcome of an earlier generation could mark a newly requested model as failed before the worker has tried it.
    if (route === undefined || generationOf(route) !== outcome.generation) return;
    const now = `${new Date().toISOString().slice(0, -5)}Z`;
    const status = routeStatus(outcome, { route, models: this.#declaredModels(), now });
    if (isDeepStrictEqual(ownPart(route), status)) return;
    const ref = { resource: INFERENCE_ROUTES, namespace, name };
    const { kind } = INFERENCE_ROUTES;
    const apiVersion = apiVersionOf(INFERENCE_ROUTES);
    // With the version, the server rejects the write if the route has changed since it was read.
    const { resourceVersion } = route.metadata;
    const object = { apiVersion, kind, metadata: { name, namespace, resourceVersion }, status };
    const options = {
      object,
      fieldManager: FIELD_MANAGER,
      force: true,
      subresource: 'status',
    } as const;
    const stored = await asUnavailable(() =>
      client.apply<InferenceRoute>(ref, options, signal).catch(nullIfOutdated),
    );
    if (stored !== null) this.#written.remember(INFERENCE_ROUTES, stored);
  }

  #declaredModels(): readonly DeclaredModel[] {
    return this.#models.values().map(declaredModel);
  }

  async #read<T>(read: () => T): Promise<T> {
    this.#running ??= this.#follow();
    const waiting = new AbortController();
    const { signal } = waiting;
    const isListed = await Promise.race([
      this.#listed(),
      sleep(FIRST_LIST_MS, false, { signal }),
    ]).finally(() => waiting.abort());
    if (isListed) return read();
    throw new StoreUnavailable(
      'The InferenceModels and InferenceRoutes of the cluster have not been listed yet.',
    );
  }

  #follow(): Promise<unknown> {
    const { signal } = this.#stop;
    return Promise.allSettled([this.#routes.run(signal), this.#models.run(signal)]);
  }

  async #listed(): Promise<true> {
    await Promise.all([this.#routes.listed, this.#models.listed]);
    return true;
  }
}

/** An outdated write is dropped, because the watch delivers the newer version. */
function nullIfOutdated(error: unknown): null {
  if (error instanceof KubeRefusal && (error.isConflict || error.isNotFound)) return null;
  throw error;
}

function ownPart({ status }: InferenceRoute): WorkerStatus {
  const { active, previous, reembedding, conditions = [] } = status ?? {};
  return {
    ...(active !== undefined && { active }),
    ...(previous !== undefined && { previous }),
    ...(reembedding !== undefined && { reembedding }),
    conditions: conditions.filter(({ type }) => type === 'Activated'),
  };
}
