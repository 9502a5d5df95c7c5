import type { Clock } from '@sightline/platform/resilience/clock';
import type { KubeObject, Resource } from './kube-object.ts';
import { keyOf } from './object-key.ts';

/**
 * How long a write is remembered, in ms. Within this time the watch delivers the written object, unless the object was
 * deleted at once.
 */
const SEEN_WITHIN_MS = 10_000;

/**
 * The recent writes of this process. A watch delivers a write with a delay. Without this record, the process would see
 * the old state during the delay, mistake the old state for a change by another process, and write again.
 */
export class Written {
  readonly #clock: Clock;
  readonly #objects = new Map<string, { readonly object: KubeObject; readonly at: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param object the object as the server stored it */
  remember(resource: Resource, object: KubeObject): void {
    this.#objects.set(idOf(resource, keyOf(object)), { object, at: this.#clock.now() });
  }

  /** Removes the record of a deleted object. The record of a newer object with the same name stays. */
  forget(resource: Resource, object: KubeObject): void {
    const id = idOf(resource, keyOf(object));
    const uid = this.#objects.get(id)?.object.metadata.uid;
    if (uid === object.metadata.uid) this.#objects.delete(id);
  }

  /**
   * The newer of two versions of an object: the observed version of the watch, or the version that this process
   * wrote.
   */
  newest<T extends KubeObject>(
    resource: Resource,
    key: string,
    observed: T | undefined,
  ): T | undefined {
    const id = idOf(resource, key);
    const known = this.#objects.get(id);
    if (known === undefined) return observed;
    const written = known.object as T;
    const isNewer =
      observed === undefined
        ? this.#clock.now() < known.at + SEEN_WITHIN_MS
        : versionOf(written) > versionOf(observed);
    if (isNewer) return written;
    this.#objects.delete(id);
    return observed;
  }
}

function idOf({ plural }: Resource, key: string): string {
  return `${plural}/${key}`;
}

function versionOf({ metadata }: KubeObject): bigint {
  return BigInt(metadata.resourceVersion ?? 0);
}
