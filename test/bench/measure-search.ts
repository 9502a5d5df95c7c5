import type {
  VectorIndex,
  VectorIndexDraft,
  VectorPoint,
  VectorSpace,
} from '@sightline/core/vectors/vector-index';
import { EmbeddedVectorIndex } from '@sightline/vectors/embedded/embedded-vector-index';
import { median, percentile } from './statistics.ts';

const REFERENCES = [1000, 10_000, 100_000];
const REFERENCES_PER_IDENTITY = 3;
const LOADED_AT_ONCE = 5000;
/** The numbers of faces in one image, which one search covers. */
const FACES = [1, 5];
const SEARCHES = 200;
const WARM_UP = 20;
const BEST = 10;

const SPACE: VectorSpace = { environmentId: 1, modelId: 1, kind: 'references', dimension: 512 };

export interface SearchFigures {
  readonly references: number;
  /** The seconds to load all references. */
  readonly loading: number;
  /** The growth of the process's resident memory, in MiB. */
  readonly memory: number;
  readonly searches: readonly SearchTimes[];
}

interface SearchTimes {
  readonly faces: number;
  /** The time of the call, including the round trip to the index's thread, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Searches for the best identities in galleries of random unit vectors, one after the other. */
export async function measureSearch(): Promise<SearchFigures[]> {
  const figures: SearchFigures[] = [];
  for (const references of REFERENCES) figures.push(await measureGallery(references));
  return figures;
}

async function measureGallery(references: number): Promise<SearchFigures> {
  const before = process.memoryUsage().rss;
  await using index = new EmbeddedVectorIndex();
  const figures = await measureFilled(index, references);
  return { ...figures, memory: (process.memoryUsage().rss - before) / 2 ** 20 };
}

/**
 * Fills an index, and then searches in it.
 *
 * @param settle waits until the index has finished its own work
 */
export async function measureFilled(
  index: VectorIndex,
  references: number,
  settle = () => Promise.resolve(),
): Promise<Omit<SearchFigures, 'memory'>> {
  const draft = await index.begin();
  const loading = await load(draft, references);
  await draft.publish();
  await settle();
  const searches: SearchTimes[] = [];
  for (const faces of FACES) searches.push(await timeSearches(index, faces));
  return { references, loading, searches };
}

async function load(draft: VectorIndexDraft, references: number): Promise<number> {
  let seconds = 0;
  for (let first = 0; first < references; first += LOADED_AT_ONCE) {
    const count = Math.min(LOADED_AT_ONCE, references - first);
    const points = randomVectors(count).map((vector, n) => reference(first + n, vector));
    const start = performance.now();
    await draft.upsert(SPACE, points);
    seconds += (performance.now() - start) / 1000;
  }
  return seconds;
}

function reference(n: number, vector: Float32Array): VectorPoint {
  const identityId = Math.floor(n / REFERENCES_PER_IDENTITY) + 1;
  return { id: n + 1, identityId, fingerprint: n, vector };
}

async function timeSearches(index: VectorIndex, faces: number): Promise<SearchTimes> {
  const milliseconds: number[] = [];
  for (let search = -WARM_UP; search < SEARCHES; search++) {
    const vectors = randomVectors(faces);
    const start = performance.now();
    await index.searchIdentities(SPACE, { vectors, limit: BEST });
    if (search >= 0) milliseconds.push(performance.now() - start);
  }
  return { faces, p50: median(milliseconds), p99: percentile(milliseconds, 0.99) };
}

function randomVectors(count: number): Float32Array[] {
  return Array.from({ length: count }, () => {
    const vector = Float32Array.from({ length: SPACE.dimension }, () => Math.random() - 0.5);
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  });
}
