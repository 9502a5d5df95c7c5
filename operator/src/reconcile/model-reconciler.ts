import type { KubeClient } from '@sightline/kube/kube-client';
import { KubeRefusal } from '@sightline/kube/kube-errors';
import {
  INFERENCE_MODELS,
  type InferenceModel,
  type InferenceModelStatus,
} from '@sightline/contracts/cluster/inference-model';
import { type ChildWriter, ForeignChild } from '../apply/child-writer.ts';
import { type EventRecorderDeps, recordEvent } from '../apply/event-recorder.ts';
import { FIELD_MANAGER } from '../apply/field-manager.ts';
import { type StatusWriterDeps, writeStatus } from '../apply/status-writer.ts';
import {
  buildFetchChildren,
  buildHostChildren,
  type Children,
} from '../children/build-children.ts';
import { type Installation, InstallationMissing } from '../children/installation.ts';
import { DEPLOYMENTS, JOBS, PODS } from '../children/kinds.ts';
import { childName, fetchName } from '../plan/labels.ts';
import { fingerprint } from '../plan/fingerprint.ts';
import { groupOf, type HostGroup, hostNameOf, missingHost, nameOf } from '../plan/hosts.ts';
import { planGuestWithoutHost, type HostPlan, planHost } from '../plan/plan-host.ts';
import type { HostSnapshot, ObservedFetch } from '../plan/snapshot.ts';
import { keyOf, parseKey } from '@sightline/kube/object-key';
import type { Deployment, Job, Pod } from '../observe/kube-kinds.ts';
import { modelEvents } from './model-events.ts';
import { observeDeployment } from '../observe/observe-deployment.ts';
import { observeFetch, parseProgress } from '../observe/observe-fetch.ts';
import type { PodReader } from '../observe/pod-reader.ts';
import type { Watched } from '../observe/watched.ts';

/** The annotation of a pod that changes with its serving file, so that the kubelet updates the mounted file at once. */
export const SERVING_ANNOTATION = 'sightline.dev/serving';

/** The HTTP statuses of a rejected object: invalid, forbidden by a quota or a policy, or unprocessable. */
const REJECTED = [400, 403, 422];

export interface ModelReconcilerDeps extends StatusWriterDeps, EventRecorderDeps {
  readonly client: Pick<KubeClient, 'apply' | 'create' | 'patch'>;
  readonly watched: Watched;
  readonly children: ChildWriter;
  readonly pods: PodReader;
  readonly requireDigests: boolean;
  /** The time in ms since 1970. */
  readonly now: () => number;
  /** Called with each failure that a status reports for the first time. */
  readonly modelFailed: (reason: string) => void;
}

type Refusals = Pick<HostSnapshot, 'refusal' | 'fetchRefusals'>;

/** The queue key of a model: that of its host, because all models of the host's pods are planned together. */
export function hostKeyOf(model: InferenceModel): string {
  return `${model.metadata.namespace ?? ''}/${hostNameOf(model)}`;
}

type Rejection = KubeRefusal | ForeignChild;

/**
 * Whether a child was rejected by the API server because of what its model's spec says or because its namespace ends, or by
 * the operator because its name is taken. The operator cannot help then.
 */
function isRejection(error: unknown): error is Rejection {
  if (error instanceof ForeignChild) return true;
  if (!(error instanceof KubeRefusal)) return false;
  return error.isOfEndingNamespace || REJECTED.includes(error.status.code);
}

function isOfEndingNamespace(rejection: Rejection | null): boolean {
  return rejection instanceof KubeRefusal && rejection.isOfEndingNamespace;
}

function sentenceOf(rejection: Rejection): string {
  return rejection instanceof KubeRefusal ? rejection.summary : rejection.message;
}

/** Reconciles a host together with its guests. */
export class ModelReconciler {
  readonly #deps: ModelReconcilerDeps;

  constructor(deps: ModelReconcilerDeps) {
    this.#deps = deps;
  }

  /**
   * @param key `namespace/host`
   * @returns the time in ms after which the host is reconciled again; null if only a change leads to that
   * @throws LeadershipLost, KubeRefusal, KubeUnavailable, the signal's reason
   */
  async reconcile(key: string, signal: AbortSignal): Promise<number | null> {
    const { namespace, name } = parseKey(key);
    const models = this.#deps.watched.models(namespace);
    const group = groupOf(name, models);
    if (group === null) {
      await this.#reportMissingHost(name, models, signal);
      return null;
    }
    return this.#reconcileHost(group, namespace, signal);
  }

  /** Writes the status of guests whose `podsOf` names a model that does not exist or is a guest itself. */
  async #reportMissingHost(
    host: string,
    models: readonly InferenceModel[],
    signal: AbortSignal,
  ): Promise<void> {
    const { watched, now } = this.#deps;
    for (const guest of models.filter(({ spec }) => spec.podsOf === host)) {
      const missing = missingHost(guest, models);
      if (missing === null) continue;
      const routes = watched.routes(guest.metadata.namespace ?? '');
      const status = planGuestWithoutHost(guest, { now: now(), missing, routes });
      await this.#writeStatus(guest, status, signal);
    }
  }

  async #reconcileHost(
    group: HostGroup,
    namespace: string,
    signal: AbortSignal,
  ): Promise<number | null> {
    const { watched } = this.#deps;
    const { host } = group;
    const pods = watched.pods(nameOf(host), 'inference', namespace);
    const { installation, notInstalled } = this.#installation(namespace);
    const observed = await this.#observe(group, pods, signal);
    const snapshot = { ...observed, notInstalled, refusal: null, fetchRefusals: new Map() };
    const plan = planHost(snapshot);
    if (installation === null || host.metadata.deletionTimestamp !== undefined) {
      await this.#writeStatuses(group, plan.statuses, signal);
      return plan.requeueAfterMs;
    }
    const refused = await this.#makeChildren(group, { plan, installation }, signal);
    // Nothing can be created in a namespace that is being deleted.
    if (isOfEndingNamespace(refused.first)) return null;
    await this.#wakePods(pods, plan, signal);
    const { statuses } = refused.first === null ? plan : planHost({ ...snapshot, ...refused });
    await this.#writeStatuses(group, statuses, signal);
    if (refused.first !== null) throw refused.first;
    return plan.requeueAfterMs;
  }

  #installation(namespace: string) {
    try {
      return { installation: this.#deps.watched.installation(namespace), notInstalled: null };
    } catch (error) {
      if (!(error instanceof InstallationMissing)) throw error;
      return { installation: null, notInstalled: error.message };
    }
  }

  async #writeStatuses(
    { host, guests }: HostGroup,
    statuses: HostPlan['statuses'],
    signal: AbortSignal,
  ): Promise<void> {
    for (const model of [host, ...guests]) {
      await this.#writeStatus(model, statuses.get(nameOf(model))!, signal);
    }
  }

  async #observe(
    { host, guests }: HostGroup,
    pods: readonly Pod[],
    signal: AbortSignal,
  ): Promise<Omit<HostSnapshot, 'notInstalled' | keyof Refusals>> {
    const { watched, requireDigests, pods: reader, now } = this.#deps;
    const namespace = host.metadata.namespace ?? '';
    const observed = await reader.read(pods, signal);
    const key = `${namespace}/${childName(nameOf(host))}`;
    const deployment = watched.child<Deployment>(DEPLOYMENTS, key);
    const fetches = new Map<string, ObservedFetch>();
    for (const model of [host, ...guests]) {
      const fetch = await this.#observeFetch(model, namespace, signal);
      if (fetch !== null) fetches.set(nameOf(model), fetch);
    }
    return {
      now: now(),
      host,
      guests,
      routes: watched.routes(namespace),
      requireDigests,
      deployment: deployment === undefined ? null : observeDeployment(deployment, observed),
      pods: observed,
      fetches,
    };
  }

  async #observeFetch(
    model: InferenceModel,
    namespace: string,
    signal: AbortSignal,
  ): Promise<ObservedFetch | null> {
    const { watched, pods: reader, now } = this.#deps;
    const name = nameOf(model);
    const job = watched.child<Job>(JOBS, `${namespace}/${fetchName(name)}`);
    // A Job with another owner belongs to a deleted model of the same name. The next fetch replaces it.
    if (job?.metadata.ownerReferences?.[0]?.uid !== model.metadata.uid) return null;
    const pod = watched
      .pods(name, 'fetch', namespace)
      .findLast(({ metadata }) => metadata.ownerReferences?.[0]?.uid === job?.metadata.uid);
    const answer = pod === undefined ? null : await reader.poll(pod, '/fetch', signal);
    return observeFetch(job!, { now: now(), pod, progress: parseProgress(answer) });
  }

  /** Creates the children of all models, even if the API server rejects those of one model. */
  async #makeChildren(
    { host, guests }: HostGroup,
    { plan, installation }: { readonly plan: HostPlan; readonly installation: Installation },
    signal: AbortSignal,
  ): Promise<Refusals & { readonly first: Rejection | null }> {
    const namespace = host.metadata.namespace ?? '';
    const make = (children: Children) => this.#refusalOf(this.#make(children, namespace, signal));
    const ofHost = await make(buildHostChildren(host, { plan, installation }));
    const ofFetches = new Map<string, Rejection>();
    for (const model of [host, ...guests]) {
      const fetch = plan.fetches.get(nameOf(model))!;
      const refused = await make(buildFetchChildren(model, { host, plan: fetch, installation }));
      if (refused !== null) ofFetches.set(nameOf(model), refused);
    }
    return {
      first: ofHost ?? ofFetches.values().next().value ?? null,
      refusal: ofHost === null ? null : sentenceOf(ofHost),
      fetchRefusals: new Map([...ofFetches].map(([name, refused]) => [name, sentenceOf(refused)])),
    };
  }

  /** @returns the rejection of a child; null if there is none. @throws all other errors */
  async #refusalOf(making: Promise<void>): Promise<Rejection | null> {
    try {
      await making;
      return null;
    } catch (error) {
      if (isRejection(error)) return error;
      throw error;
    }
  }

  async #make(
    { intents, obsolete }: Children,
    namespace: string,
    signal: AbortSignal,
  ): Promise<void> {
    const { watched, children } = this.#deps;
    for (const intent of intents) {
      const observed = watched.child(intent.resource, keyOf(intent.object));
      await children.apply(intent, observed, signal);
    }
    for (const child of obsolete) {
      const observed = watched.child(child.resource, `${namespace}/${child.name}`);
      if (observed !== undefined) await children.remove(child, observed, signal);
    }
  }

  /** Changes an annotation of pods, because the kubelet would otherwise update a mounted file only after a minute. */
  async #wakePods(pods: readonly Pod[], { serving }: HostPlan, signal: AbortSignal): Promise<void> {
    const { client, requireLeader } = this.#deps;
    const annotations = { [SERVING_ANNOTATION]: fingerprint(serving) };
    for (const { metadata } of pods) {
      const { name, namespace = '', deletionTimestamp } = metadata;
      const known = metadata.annotations?.[SERVING_ANNOTATION];
      if (deletionTimestamp !== undefined || known === annotations[SERVING_ANNOTATION]) continue;
      requireLeader();
      const options = { patch: { metadata: { annotations } }, fieldManager: FIELD_MANAGER };
      try {
        await client.patch({ resource: PODS, namespace, name }, options, signal);
      } catch (error) {
        // A pod that was deleted since it was read needs no annotation.
        if (!(error instanceof KubeRefusal && error.isNotFound)) throw error;
      }
    }
  }

  async #writeStatus(
    model: InferenceModel,
    status: InferenceModelStatus,
    signal: AbortSignal,
  ): Promise<void> {
    const write = { resource: INFERENCE_MODELS, object: model, status };
    if (!(await writeStatus(this.#deps, write, signal))) return;
    for (const event of modelEvents(model.status, status)) {
      if (event.type === 'Warning') this.#deps.modelFailed(event.reason);
      await recordEvent(this.#deps, { about: model, event }, signal);
    }
  }
}
