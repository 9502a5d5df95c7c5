import type { KubeClient } from '@sightline/kube/kube-client';
import type { KubeObject, ObjectRef, Resource } from '@sightline/kube/kube-object';
import type { ChildRef } from '../children/build-children.ts';
import { INTENT_ANNOTATION, type Intent } from '../children/intent.ts';
import { keyOf } from '@sightline/kube/object-key';
import { contains } from './contains.ts';
import { FIELD_MANAGER } from './field-manager.ts';
import type { Written } from '@sightline/kube/written';

export interface ChildWriterDeps {
  readonly client: Pick<KubeClient, 'apply' | 'delete'>;
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
   * @throws LeadershipLost, KubeRefusal, KubeUnavailable, the signal's reason
   */
  async apply(
    intent: Intent,
    observed: KubeObject | undefined,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { client, requireLeader, written } = this.#deps;
    const { resource, object } = intent;
    if (observed !== undefined) {
      if (this.#isDone(intent, observed)) return false;
      const child = { resource, name: object.metadata.name };
      if (intent.fixed === 'renew') await this.remove(child, observed, signal);
    }
    requireLeader();
    const options = { object, fieldManager: FIELD_MANAGER, force: true };
    const stored = await client.apply(refOf(intent), options, signal);
    written.remember(resource, stored);
    this.#settled.set(idOf(resource, object), stateOf(intent, stored));
    return true;
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

  #isDone(intent: Intent, observed: KubeObject): boolean {
    if (intent.fixed === 'keep') return true;
    if (intent.fixed === 'renew') return intentOf(observed) === intentOf(intent.object);
    if (intentOf(observed) !== intentOf(intent.object)) return false;
    if (contains(observed, intent.object)) return true;
    return this.#settled.get(idOf(intent.resource, intent.object)) === stateOf(intent, observed);
  }
}

function refOf({ resource, object }: Intent): ObjectRef {
  const { name, namespace } = object.metadata;
  return { resource, name, ...(namespace !== undefined && { namespace }) };
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
