import type { Clock } from '@sightline/platform/resilience/clock';
import type { KubeObject, Resource } from './kube-object.ts';
import { keyOf } from './object-key.ts';

/**
 * How long a write is remembered, in ms: a watch delivers it within this time, unless the object was deleted at
 * once.
 */
const SEEN_WITHIN_MS = 10_000;

/**
 * Recent writes of this process. A watch delivers a write with a delay; without this record the process would read its
 * own old state until then, take it for a change by others and write again.
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

  /** Records that the object was deleted. A later object of the same name is not affected. */
  forget(resource: Resource, object: KubeObject): void {
    const id = idOf(resource, keyOf(object));
    const uid = this.#objects.get(id)?.object.metadata.uid;
    if (uid === object.metadata.uid) this.#objects.delete(id);
  }

  /** The newer version: the one from the watch or the one that this process wrote. */
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
