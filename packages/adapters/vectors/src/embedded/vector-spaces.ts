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
    if (!isWrite(request)) return read(this.#pointsOf(request.space), request);
    this.#change(request);
    return null;
  }

  #change(request: WriteRequest): void {
    switch (request.do) {
      case 'upsert':
        this.#write(request.space, (points) => points.upsert(request.points));
        return;
      case 'remove':
        this.#write(request.space, (points) => points.remove(request.ids));
        return;
      case 'dropSpace':
        this.#dropSpace(request.space);
        return;
      case 'dropEnvironment':
        this.#dropEnvironment(request.environmentId);
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

  #dropSpace(space: VectorSpace): void {
    const spaces = this.#environments.get(space.environmentId);
    spaces?.get(keyOf(space))?.release();
    spaces?.delete(keyOf(space));
    if (spaces?.size === 0) this.#environments.delete(space.environmentId);
  }

  #dropEnvironment(environmentId: number): void {
    for (const points of this.#environments.get(environmentId)?.values() ?? []) points.release();
    this.#environments.delete(environmentId);
  }
}

const WRITES = ['upsert', 'remove', 'dropSpace', 'dropEnvironment'] as const;
type WriteRequest = Extract<VectorRequest, { readonly do: (typeof WRITES)[number] }>;

function isWrite(request: VectorRequest): request is WriteRequest {
  return WRITES.some((name) => name === request.do);
}

function read(
  points: SpacePoints,
  request: Exclude<VectorRequest, WriteRequest>,
): VectorResults[keyof VectorResults] {
  switch (request.do) {
    case 'searchIdentities':
      return points.searchIdentities(request.vectors, request.limit);
    case 'searchPoints':
      return points.searchPoints(request.vectors, request.limit);
    case 'nearestUnnamed':
      return points.nearestUnnamed(request.vectors, request.limit);
    case 'above':
      return points.above(request.vectors, request);
    case 'list':
      return points.list(request.after, request.limit);
    case 'unnamed':
      return points.unnamed();
    case 'vectors':
      return points.vectors(request.ids);
  }
}

function keyOf({ modelId, kind, dimension }: VectorSpace): string {
  return `${modelId} ${kind} ${dimension}`;
}
