import type {
  VectorIndexDraft,
  VectorPoint,
  VectorSpace,
} from '@sightline/core/vectors/vector-index';
import { EmbeddedVectorIndex } from '@sightline/vectors/embedded/embedded-vector-index';
import { type Measured, repeat } from './bench.ts';
import { grouped, mebibytes } from './cells.ts';
import { markdownTable } from './markdown-table.ts';
import { median, percentile, timed } from './statistics.ts';

const REFERENCES = [1000, 10_000, 100_000];
const REFERENCES_PER_IDENTITY = 3;
const LOADED_AT_ONCE = 5000;
/** The numbers of faces in one image, which one search covers. */
const FACES = [1, 5];
const SEARCHES = 200;
const WARM_UP = 20;
const BEST = 10;

const SPACE: VectorSpace = { environmentId: 1, modelId: 1, kind: 'references', dimension: 512 };

/** Searches for the best identities in galleries of random unit vectors, one after the other. */
export async function measureSearch(): Promise<Measured> {
  const rows: string[][] = [];
  for (const references of REFERENCES) rows.push(await measureGallery(references));
  const times = FACES.flatMap((faces) => [`p50, faces: ${faces}`, `p99, faces: ${faces}`]);
  const text = `## Search

Milliseconds per search of the embedded index for the ten best identities of one face, and of five faces
together, including the round trip to its thread. The gallery consists of random vectors of 512 values, three
references for each identity. Memory is the growth of the process.

${markdownTable(['references', ...times, 'loading', 'memory'], rows)}`;
  return { text };
}

async function measureGallery(references: number): Promise<string[]> {
  const before = process.memoryUsage().rss;
  await using index = new EmbeddedVectorIndex();
  const draft = await index.begin();
  const seconds = await load(draft, references);
  await draft.publish();
  const cells: string[] = [];
  for (const faces of FACES) {
    const all = await repeat(WARM_UP + SEARCHES, () => {
      const vectors = randomVectors(faces);
      return timed(() => index.searchIdentities(SPACE, { vectors, limit: BEST }));
    });
    const times = all.slice(WARM_UP);
    cells.push(median(times).toFixed(2), percentile(times, 0.99).toFixed(2));
  }
  const memory = mebibytes(process.memoryUsage().rss - before);
  return [grouped(references), ...cells, `${seconds.toFixed(2)} s`, `${memory} MiB`];
}

/** @returns the seconds that the index needed to insert the points, without the creation of the vectors */
async function load(draft: VectorIndexDraft, references: number): Promise<number> {
  let seconds = 0;
  for (let first = 0; first < references; first += LOADED_AT_ONCE) {
    const count = Math.min(LOADED_AT_ONCE, references - first);
    const points = randomVectors(count).map((vector, n) => reference(first + n, vector));
    seconds += (await timed(() => draft.upsert(SPACE, points))) / 1000;
  }
  return seconds;
}

function reference(n: number, vector: Float32Array): VectorPoint {
  const identityId = Math.floor(n / REFERENCES_PER_IDENTITY) + 1;
  return { id: n + 1, identityId, fingerprint: n, vector };
}

function randomVectors(count: number): Float32Array[] {
  return Array.from({ length: count }, () => {
    const vector = Float32Array.from({ length: SPACE.dimension }, () => Math.random() - 0.5);
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  });
}
