import type { Clock } from '@sightline/platform/resilience/clock';
import type { KubeObject, Resource } from './kube-object.ts';
import { keyOf } from './object-key.ts';

/** A watch tells of an object within this time, unless it went at once, in ms. */
const SEEN_WITHIN_MS = 10_000;

/**
 * What this process has written lately. A watch tells of it a moment later; without this, the moment between would be
 * taken for a change by others and everything written again.
 */
export class Written {
  readonly #clock: Clock;
  readonly #objects = new Map<string, { readonly object: KubeObject; readonly at: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param object as the server has stored it */
  remember(resource: Resource, object: KubeObject): void {
    this.#objects.set(idOf(resource, keyOf(object)), { object, at: this.#clock.now() });
  }

  /** It is gone. One of its name that was made since is not. */
  forget(resource: Resource, object: KubeObject): void {
    const id = idOf(resource, keyOf(object));
    const uid = this.#objects.get(id)?.object.metadata.uid;
    if (uid === object.metadata.uid) this.#objects.delete(id);
  }

  /** The newer one of what a watch has told and what was written. */
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
