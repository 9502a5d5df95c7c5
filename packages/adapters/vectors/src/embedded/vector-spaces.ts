import type { VectorSpace } from '@sightline/core/vectors/vector-index';
import { SpacePoints } from './space-points.ts';
import { VectorMemory } from './vector-memory.ts';
import type { VectorRequest, VectorResults } from './vector-protocol.ts';

/** All spaces of an index. Processes one request at a time. */
export class VectorSpaces {
  readonly #memory = new VectorMemory();
  /** The points, by environment and then by the rest of the space's key. Spaces without points are removed. */
  readonly #environments = new Map<number, Map<string, SpacePoints>>();

  /** @throws RangeError if no memory is left; in that case nothing has changed */
  handle(request: VectorRequest): VectorResults[keyof VectorResults] {
    switch (request.do) {
      case 'upsert':
        this.#write(request.space, (points) => points.upsert(request.points));
        return null;
      case 'remove':
        this.#write(request.space, (points) => points.remove(request.ids));
        return null;
      case 'searchIdentities':
        return this.#pointsOf(request.space).searchIdentities(request.vectors, request.limit);
      case 'searchPoints':
        return this.#pointsOf(request.space).searchPoints(request.vectors, request.limit);
      case 'list':
        return this.#pointsOf(request.space).list(request.after, request.limit);
      case 'dropEnvironment':
        this.#dropEnvironment(request.environmentId);
        return null;
    }
  }

  #pointsOf(space: VectorSpace): SpacePoints {
    const points = this.#environments.get(space.environmentId)?.get(keyOf(space));
    return points ?? new SpacePoints(this.#memory, space.dimension);
  }

  #write(space: VectorSpace, change: (points: SpacePoints) => void): void {
    const points = this.#pointsOf(space);
    change(points);
    const spaces = this.#environments.get(space.environmentId) ?? new Map<string, SpacePoints>();
    if (points.size > 0) spaces.set(keyOf(space), points);
    else spaces.delete(keyOf(space));
    if (spaces.size > 0) this.#environments.set(space.environmentId, spaces);
    else this.#environments.delete(space.environmentId);
  }

  #dropEnvironment(environmentId: number): void {
    for (const points of this.#environments.get(environmentId)?.values() ?? []) points.release();
    this.#environments.delete(environmentId);
  }
}

function keyOf({ modelId, kind, dimension }: VectorSpace): string {
  return `${modelId} ${kind} ${dimension}`;
}
