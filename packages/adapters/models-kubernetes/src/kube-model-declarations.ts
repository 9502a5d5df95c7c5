import {
  ActivationDeclared,
  ModelNotDownloaded,
  NoSource,
} from '@sightline/core/models/model-errors';
import { findDeclared } from '@sightline/core/models/find-declared';
import type {
  ModelDeclarations,
  RequestedModel,
  WrittenRequest,
} from '@sightline/core/models/declared-models';
import type { KubeClient } from '@sightline/kube/kube-client';
import { KubeRefusal } from '@sightline/kube/kube-errors';
import { apiVersionOf, type Resource } from '@sightline/kube/kube-object';
import {
  INFERENCE_MODELS,
  type InferenceModel,
} from '@sightline/contracts/cluster/inference-model';
import {
  INFERENCE_ROUTES,
  type InferenceRoute,
} from '@sightline/contracts/cluster/inference-route';
import { asUnavailable } from './as-unavailable.ts';
import { declaredModel } from './declared-model.ts';
import { slotOfTask } from './desired-slot.ts';

export interface KubeModelDeclarationsOptions {
  readonly client: KubeClient;
  readonly namespace: string;
}

/** The field manager of the API's changes of specs. */
const FIELD_MANAGER = 'sightline-api';

/**
 * Writes the requests of API callers into InferenceRoutes and InferenceModels. Never takes a field from another field
 * manager.
 */
export class KubeModelDeclarations implements ModelDeclarations {
  readonly #options: KubeModelDeclarationsOptions;

  constructor(options: KubeModelDeclarationsOptions) {
    this.#options = options;
  }

  async activate(
    model: RequestedModel,
    reembed: 'before' | 'after',
    signal: AbortSignal,
  ): Promise<WrittenRequest> {
    const slot = slotOfTask(model);
    const route = await this.#route(slot, signal);
    if (route === null) {
      throw new ActivationDeclared(
        `There is no InferenceRoute ${slot}: create one with the name of a model.`,
      );
    }
    const name = await this.#verified(model, { route, signal });
    const before = ownSpec(route);
    const spec = { model: name, ...(reembed === 'after' && { reembed: 'After' }) };
    await this.#write(
      { resource: INFERENCE_ROUTES, name: slot, spec, what: activeModelOf(slot) },
      signal,
    );
    return { revert: (stop) => this.#revert({ slot, name, before }, stop) };
  }

  async keep(model: RequestedModel, signal: AbortSignal): Promise<void> {
    const models = await this.#models(signal);
    const declared = findDeclared(models.map(declaredModel), model);
    const found = models.find(({ metadata }) => metadata.name === declared?.name);
    if (found === undefined) {
      throw new NoSource(
        `No InferenceModel has the pack ${model.name}: create one with a source for this pack.`,
      );
    }
    if (found.spec.standby !== 'None') return;
    const { name } = found.metadata;
    const what = `the standby state of InferenceModel ${name}`;
    await this.#write(
      { resource: INFERENCE_MODELS, name, spec: { standby: 'Store' }, what },
      signal,
    );
  }

  /**
   * The name of an InferenceModel whose pack was verified to have the digest of the model. If there are several, the
   * one that the route uses is preferred: first the active one, then the requested one.
   */
  async #verified(
    model: RequestedModel,
    { route, signal }: { readonly route: InferenceRoute; readonly signal: AbortSignal },
  ): Promise<string> {
    const verified = (await this.#models(signal))
      .map(declaredModel)
      .filter(({ packName, task }) => packName === model.name && task === model.task)
      .filter(({ revision }) => revision !== null && revision === model.revision)
      .map(({ name }) => name);
    const { spec, status } = route;
    const inOrder = [status?.active?.model, spec.model, spec.defaultModel, ...verified];
    const found = inOrder.find((name) => name !== undefined && verified.includes(name));
    if (found !== undefined) return found;
    throw new ModelNotDownloaded(
      `No InferenceModel with the pack ${model.name} has been verified to contain the files of this model.`,
    );
  }

  /**
   * Restores the fields that the API owned before the request, unless the route now names another model. Retries if
   * the route changes between the read and the write.
   */
  async #revert(request: Request, signal: AbortSignal): Promise<void> {
    const { slot, name, before: spec } = request;
    const route = await this.#route(slot, signal);
    if (route?.spec.model !== name) return;
    const { resourceVersion } = route.metadata;
    const write = { resource: INFERENCE_ROUTES, name: slot, spec, what: activeModelOf(slot) };
    try {
      await this.#write({ ...write, resourceVersion }, signal);
    } catch (error) {
      if (error instanceof RouteChanged) return this.#revert(request, signal);
      // Another field manager has taken the field since the route was read, so the field keeps the value of that
      // manager.
      if (!(error instanceof ActivationDeclared)) throw error;
    }
  }

  #route(name: string, signal: AbortSignal): Promise<InferenceRoute | null> {
    const { client, namespace } = this.#options;
    const ref = { resource: INFERENCE_ROUTES, namespace, name };
    return asUnavailable(() => client.get<InferenceRoute>(ref, signal));
  }

  async #models(signal: AbortSignal): Promise<readonly InferenceModel[]> {
    const { client, namespace } = this.#options;
    const selection = { resource: INFERENCE_MODELS, namespace };
    return (await asUnavailable(() => client.list<InferenceModel>(selection, signal))).items;
  }

  /**
   * @throws ActivationDeclared if another manager owns a field; RouteChanged if the object has another version than
   *   `resourceVersion`; StoreUnavailable
   */
  async #write(
    { resource, name, spec, what, resourceVersion }: Write,
    signal: AbortSignal,
  ): Promise<void> {
    const { client, namespace } = this.#options;
    const { kind } = resource;
    const object = {
      apiVersion: apiVersionOf(resource),
      kind,
      metadata: { name, namespace, resourceVersion },
      spec,
    };
    const options = { object, fieldManager: FIELD_MANAGER };
    await asUnavailable(async () => {
      try {
        await client.apply({ resource, namespace, name }, options, signal);
      } catch (error) {
        if (!(error instanceof KubeRefusal && error.isConflict)) throw error;
        const isDeclared = error.status.causes.length > 0;
        // A conflict without causes means that the object was changed at the same time. Without a required version,
        // the server has already retried the write several times.
        if (!isDeclared) throw resourceVersion === undefined ? error : new RouteChanged();
        throw new ActivationDeclared(conflictMessage(error, { what, kind, name }));
      }
    });
  }
}

interface Request {
  readonly slot: string;
  /** The name of the InferenceModel. */
  readonly name: string;
  /** The fields that the API owned before the request, with their values. */
  readonly before: object;
}

interface Write {
  readonly resource: Resource;
  readonly name: string;
  /** The fields of the spec that the API owns after the write. */
  readonly spec: object;
  /** A name for the written fields, for messages. */
  readonly what: string;
  /** The only version that the write may change; any version if absent. */
  readonly resourceVersion?: string | undefined;
}

/** The route has changed since it was read. */
class RouteChanged extends Error {}

const activeModelOf = (slot: string) => `the active ${slot} model`;

/** The fields of a route that the API owns, with their current values. */
function ownSpec({ metadata, spec }: InferenceRoute): object {
  const own = metadata.managedFields?.find(
    ({ manager, subresource = '' }) => manager === FIELD_MANAGER && subresource === '',
  );
  const fields = (own?.fieldsV1?.['f:spec'] ?? {}) as Readonly<Record<string, unknown>>;
  return {
    ...('f:model' in fields && { model: spec.model }),
    ...('f:reembed' in fields && { reembed: spec.reembed }),
  };
}

/** Matches the owner in messages such as `conflict with "argocd-controller" using sightline.dev/v1alpha1`. */
const OWNER = /^conflict with "([^"]+)"/;

function conflictMessage(
  { status }: KubeRefusal,
  { what, kind, name }: { readonly what: string; readonly kind: string; readonly name: string },
): string {
  const owners = status.causes.map(
    ({ message = '' }) => OWNER.exec(message)?.[1] ?? 'another manager',
  );
  const fields = status.causes.map(({ field = '' }) => field.replace(/^\./, ''));
  const by = [...new Set(owners)].join(', ') || 'another manager';
  const where = [...new Set(fields)].join(', ');
  return `${what[0]!.toUpperCase()}${what.slice(1)} is declared by ${by} (${kind} ${name}, ${where}); change it there.`;
}
