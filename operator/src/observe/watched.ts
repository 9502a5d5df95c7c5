import type { KubeClient, Selection } from '@sightline/kube/kube-client';
import type { KubeObject, Resource } from '@sightline/kube/kube-object';
import {
  INFERENCE_MODELS,
  type InferenceModel,
} from '@sightline/contracts/cluster/inference-model';
import {
  INFERENCE_ROUTES,
  type InferenceRoute,
} from '@sightline/contracts/cluster/inference-route';
import type { Clock } from '@sightline/platform/resilience/clock';
import type { Written } from '@sightline/kube/written';
import {
  INSTALLATION_NAME,
  type Installation,
  parseInstallation,
} from '../children/installation.ts';
import { CHILD_KINDS, CONFIG_MAPS, PODS } from '../children/kinds.ts';
import { CHILD_SELECTOR, MODEL_LABEL, podSelector } from '../plan/labels.ts';
import { kubeSource } from '@sightline/kube/kube-source';
import { keyOf } from '@sightline/kube/object-key';
import { Reflector } from '@sightline/kube/reflector';
import type { ConfigMap, Pod } from './kube-kinds.ts';

export interface WatchedDeps {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** The watched namespaces; null for all. */
  readonly namespaces: readonly string[] | null;
  readonly written: Written;
  /**
   * Called with each object that was added, changed or deleted, once all objects of its namespace have been listed.
   */
  readonly changed: (what: Changed) => void;
  /** Called with each failure of a list or a watch, before it is retried. */
  readonly failed: (error: unknown, where: Followed) => void;
}

/** A kind of objects in a namespace. */
export interface Followed {
  readonly resource: Resource;
  /** The namespace; empty for all namespaces. */
  readonly namespace: string;
}

/** An added, changed or deleted object. */
export interface Changed {
  readonly resource: Resource;
  readonly object: KubeObject;
  readonly isDeleted: boolean;
}

/** Local copies of all objects that the operator reads. A namespace that cannot be read does not delay the others. */
export class Watched {
  readonly #deps: WatchedDeps;
  /** The namespaces whose objects have all been listed. The empty name stands for all namespaces. */
  readonly #complete = new Set<string>();
  readonly #models: Copies<InferenceModel>;
  readonly #routes: Copies<InferenceRoute>;
  readonly #installations: Copies<ConfigMap>;
  readonly #pods: Copies<Pod>;
  readonly #children: ReadonlyMap<string, Copies<KubeObject>>;

  constructor(given: WatchedDeps) {
    this.#deps = given;
    const changed: CopiesDeps['changed'] = (what, namespace) => {
      if (this.#complete.has(namespace)) given.changed(what);
    };
    const deps = { ...given, changed };
    const fieldSelector = `metadata.name=${INSTALLATION_NAME}`;
    this.#models = new Copies(deps, { resource: INFERENCE_MODELS });
    this.#routes = new Copies(deps, { resource: INFERENCE_ROUTES });
    this.#installations = new Copies(deps, { resource: CONFIG_MAPS, fieldSelector });
    this.#pods = new Copies(deps, { resource: PODS, labelSelector: MODEL_LABEL });
    this.#children = new Map(
      CHILD_KINDS.map((resource) => [
        resource.plural,
        new Copies<KubeObject>(deps, { resource, labelSelector: CHILD_SELECTOR }),
      ]),
    );
  }

  /** Keeps the copies up to date until the signal aborts. @throws the signal's reason */
  async run(signal: AbortSignal): Promise<void> {
    const { namespaces } = this.#deps;
    await Promise.all([
      ...this.#all().map((copies) => copies.run(signal)),
      ...(namespaces ?? ['']).map((namespace) => this.#begin(namespace)),
    ]);
  }

  /** The kinds that currently cannot be listed or watched. */
  failing(): readonly Followed[] {
    return this.#all().flatMap((copies) => copies.failing());
  }

  /** @param namespace null for all namespaces */
  models(namespace: string | null): readonly InferenceModel[] {
    return this.#newest(INFERENCE_MODELS, this.#models.values(namespace));
  }

  routes(namespace: string | null): readonly InferenceRoute[] {
    return this.#newest(INFERENCE_ROUTES, this.#routes.values(namespace));
  }

  /** @throws InstallationMissing if the namespace has no usable installation */
  installation(namespace: string): Installation {
    return parseInstallation(this.#installations.get(`${namespace}/${INSTALLATION_NAME}`)?.data);
  }

  pods(model: string, role: 'inference' | 'fetch', namespace: string): readonly Pod[] {
    const desired = Object.entries(podSelector(model, role));
    return this.#pods
      .values(namespace)
      .filter(({ metadata }) => desired.every(([key, value]) => metadata.labels?.[key] === value));
  }

  child<T extends KubeObject>(resource: Resource, key: string): T | undefined {
    const observed = this.#children.get(resource.plural)?.get(key);
    return this.#deps.written.newest(resource, key, observed) as T | undefined;
  }

  /** Reports the objects of a namespace once all of them have been listed. */
  async #begin(namespace: string): Promise<void> {
    await Promise.all(this.#all().map((copies) => copies.listed(namespace)));
    this.#complete.add(namespace);
    for (const copies of this.#all()) {
      const { resource } = copies;
      for (const object of copies.values(namespace || null)) {
        this.#deps.changed({ resource, object, isDeleted: false });
      }
    }
  }

  #newest<T extends KubeObject>(resource: Resource, objects: readonly T[]): readonly T[] {
    return objects.map((object) => this.#deps.written.newest(resource, keyOf(object), object)!);
  }

  #all(): readonly AnyCopies[] {
    const own = [this.#models, this.#routes, this.#installations, this.#pods];
    return [...own, ...this.#children.values()];
  }
}

type AnyCopies = Pick<Copies<KubeObject>, 'resource' | 'listed' | 'failing' | 'run' | 'values'>;

interface CopiesDeps extends Pick<WatchedDeps, 'client' | 'clock' | 'namespaces' | 'failed'> {
  /** @param namespace the watched namespace */
  readonly changed: (what: Changed, namespace: string) => void;
}

/** Local copies of the objects of one kind in all watched namespaces. */
class Copies<T extends KubeObject> {
  readonly resource: Resource;
  /** The reflectors by namespace. A reflector for all namespaces has the empty name. */
  readonly #reflectors: ReadonlyMap<string, Reflector<T>>;

  constructor(
    { client, clock, namespaces, changed, failed }: CopiesDeps,
    selection: Omit<Selection, 'namespace'>,
  ) {
    const { resource } = selection;
    this.resource = resource;
    const watch = (namespace: string): Reflector<T> => {
      const collection = { ...selection, ...(namespace !== '' && { namespace }) };
      const reflector = new Reflector<T>({
        source: kubeSource<T>(client, collection),
        clock,
        changed: (object) => {
          const isDeleted = reflector.get(keyOf(object)) === undefined;
          changed({ resource, object, isDeleted }, namespace);
        },
        failed: (error) => failed(error, { resource, namespace }),
      });
      return reflector;
    };
    this.#reflectors = new Map((namespaces ?? ['']).map((name) => [name, watch(name)]));
  }

  /** Resolves once all objects of a watched namespace have been listed. */
  async listed(namespace: string): Promise<void> {
    await this.#reflectors.get(namespace)?.listed;
  }

  failing(): readonly Followed[] {
    return [...this.#reflectors]
      .filter(([, { isFailing }]) => isFailing)
      .map(([namespace]) => ({ resource: this.resource, namespace }));
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([...this.#reflectors.values()].map((reflector) => reflector.run(signal)));
  }

  get(key: string): T | undefined {
    for (const reflector of this.#reflectors.values()) {
      const object = reflector.get(key);
      if (object !== undefined) return object;
    }
    return undefined;
  }

  values(namespace: string | null): readonly T[] {
    const all = [...this.#reflectors.values()].flatMap((reflector) => reflector.values());
    if (namespace === null) return all;
    return all.filter(({ metadata }) => metadata.namespace === namespace);
  }
}
