import type { KubeClient } from '@sightline/kube/kube-client';
import { KubeRefusal } from '@sightline/kube/kube-errors';
import type {
  Collection,
  KubeObject,
  ObjectRef,
  OwnerReference,
  Resource,
} from '@sightline/kube/kube-object';
import type { ChildRef } from '../children/build-children.ts';
import { INTENT_ANNOTATION, type Intent } from '../children/intent.ts';
import { MANAGED_BY } from '../plan/labels.ts';
import { keyOf } from '@sightline/kube/object-key';
import { contains } from './contains.ts';
import { FIELD_MANAGER } from './field-manager.ts';
import type { Written } from '@sightline/kube/written';

export interface ChildWriterDeps {
  readonly client: Pick<KubeClient, 'apply' | 'create' | 'delete' | 'get'>;
  readonly written: Written;
  /** @throws LeadershipLost if another replica may lead by now, so that this process must not write */
  readonly requireLeader: () => void;
}

/**
 * Applies and deletes the children of models (the objects that the operator creates for them). Does not write a child
 * that already has all intended fields.
 */
export class ChildWriter {
  readonly #deps: ChildWriterDeps;
  /**
   * The state of each child after its last apply, by key. A child in this state is not applied again, even if the
   * server's defaults or rewritten values make it differ from the intent. Otherwise it would be applied in every
   * reconciliation.
   */
  readonly #settled = new Map<string, string>();

  constructor(deps: ChildWriterDeps) {
    this.#deps = deps;
  }

  /**
   * @param observed the current child; undefined if there is none
   * @returns whether the child was written
   * @throws ForeignChild, LeadershipLost, KubeRefusal, KubeUnavailable, the signal's reason
   */
  async apply(
    intent: Intent,
    observed: KubeObject | undefined,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { written } = this.#deps;
    const { resource, object, fixed } = intent;
    if (observed !== undefined) {
      if (this.#isDone(intent, observed)) return false;
      const child = { resource, name: object.metadata.name };
      if (fixed !== undefined) await this.remove(child, observed, signal);
    }
    const stored = await (fixed === undefined
      ? this.#apply(intent, signal)
      : this.#create(intent, signal));
    written.remember(resource, stored);
    this.#settled.set(idOf(resource, object), stateOf(intent, stored));
    return true;
  }

  #apply(intent: Intent, signal: AbortSignal): Promise<KubeObject> {
    const { client, requireLeader } = this.#deps;
    requireLeader();
    const options = { object: intent.object, fieldManager: FIELD_MANAGER, force: true };
    return client.apply(refOf(intent), options, signal);
  }

  /** Creates a child that cannot be changed, so that an object of another program is never changed either. */
  async #create(intent: Intent, signal: AbortSignal): Promise<KubeObject> {
    const { client, requireLeader } = this.#deps;
    requireLeader();
    try {
      const options = { object: intent.object, fieldManager: FIELD_MANAGER };
      return await client.create(collectionOf(intent), options, signal);
    } catch (error) {
      if (!(error instanceof KubeRefusal && error.isConflict)) throw error;
      const existing = await client.get(refOf(intent), signal);
      if (existing !== null) requireOwn(intent, existing);
      throw error;
    }
  }

  /** Forgets a deleted child. */
  forget(resource: Resource, object: KubeObject): void {
    this.#settled.delete(idOf(resource, object));
  }

  /**
   * @param observed the current child
   * @returns whether the child existed
   * @throws LeadershipLost, KubeRefusal, KubeUnavailable, the signal's reason
   */
  async remove(obsolete: ChildRef, observed: KubeObject, signal: AbortSignal): Promise<boolean> {
    const { client, requireLeader, written } = this.#deps;
    const { uid, namespace, deletionTimestamp } = observed.metadata;
    if (deletionTimestamp !== undefined) return false;
    requireLeader();
    const ref = { ...obsolete, ...(namespace !== undefined && { namespace }) };
    const options = { propagationPolicy: 'Background', ...(uid !== undefined && { uid }) } as const;
    const wasThere = await client.delete(ref, options, signal);
    written.forget(obsolete.resource, observed);
    return wasThere;
  }

  /** @throws ForeignChild if the child cannot be changed and belongs to another object */
  #isDone(intent: Intent, observed: KubeObject): boolean {
    if (intent.fixed !== undefined && requireOwn(intent, observed) === 'orphaned') return false;
    if (intent.fixed === 'keep') return true;
    if (intent.fixed === 'renew') return intentOf(observed) === intentOf(intent.object);
    if (intentOf(observed) !== intentOf(intent.object)) return false;
    if (contains(observed, intent.object)) return true;
    return this.#settled.get(idOf(intent.resource, intent.object)) === stateOf(intent, observed);
  }
}

/** Another program owns the object that has the name of a child, so the operator does not replace it. */
export class ForeignChild extends Error {
  readonly code = 'FOREIGN_CHILD';
}

/**
 * Whether an existing object is a child of the intended owner. It is orphaned if the operator created it for an owner that
 * no longer exists: one that was deleted without its children, or that a backup or another tool created again.
 *
 * @throws ForeignChild
 */
function requireOwn(
  { object: intended }: Intent,
  { kind, metadata }: KubeObject,
): 'own' | 'orphaned' {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  const desired = intended.metadata.ownerReferences?.[0];
  if (owner !== undefined && owner.uid === desired?.uid) return 'own';
  if (isOfOperator(metadata) && isSuccessor(desired, owner)) return 'orphaned';
  throw new ForeignChild(
    `The ${kind} ${metadata.name} ${originOf(owner)}. Delete it, and the operator creates its own.`,
  );
}

function isSuccessor(
  desired: OwnerReference | undefined,
  previous: OwnerReference | undefined,
): boolean {
  if (previous === undefined) return true;
  return previous.kind === desired?.kind && previous.name === desired.name;
}

function isOfOperator({ labels }: KubeObject['metadata']): boolean {
  return Object.entries(MANAGED_BY).every(([label, value]) => labels?.[label] === value);
}

function originOf(owner: OwnerReference | undefined): string {
  return owner === undefined
    ? 'was not created by this operator'
    : `belongs to ${owner.kind} ${owner.name}`;
}

function refOf(intent: Intent): ObjectRef {
  return { ...collectionOf(intent), name: intent.object.metadata.name };
}

function collectionOf({ resource, object }: Intent): Collection {
  const { namespace } = object.metadata;
  return { resource, ...(namespace !== undefined && { namespace }) };
}

function idOf({ plural }: Resource, object: KubeObject): string {
  return `${plural}/${keyOf(object)}`;
}

/** A text that changes with the intent of a child, and with each change of its spec by any client. */
function stateOf({ object }: Intent, { metadata }: KubeObject): string {
  const version = metadata.generation ?? metadata.resourceVersion ?? '';
  return [intentOf(object), metadata.uid, version].join(' ');
}

function intentOf({ metadata }: KubeObject): string | undefined {
  return metadata.annotations?.[INTENT_ANNOTATION];
}
