import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '@sightline/platform/logging/logger';
import { CollectionNames } from '@sightline/vectors/qdrant/collection-names';
import { QdrantVectorIndex } from '@sightline/vectors/qdrant/qdrant-vector-index';
import { measureFilled, type SearchFigures } from './measure-search.ts';

const REFERENCES = [10_000, 100_000];
const MANY_REFERENCES = 1_000_000;
const ASKED_EVERY_MS = 500;
/** The status of a collection without pending updates (grey) and without a graph in construction (yellow). */
const SETTLED = 'green';

export interface MeasuredQdrant {
  readonly url: URL;
  readonly apiKey?: string;
  /** Whether to measure a gallery of a million, too. */
  readonly many: boolean;
}

export interface QdrantSearchFigures extends Omit<SearchFigures, 'memory'> {
  /** The seconds from the last reference until the server has built its graphs. */
  readonly indexing: number;
}

/** Runs the searches of `measureSearch` on a Qdrant, and deletes its collections at the end. */
export async function measureQdrantSearch(qdrant: MeasuredQdrant): Promise<QdrantSearchFigures[]> {
  const logger = createLogger({ level: 'warn' });
  const { many, ...server } = qdrant;
  const installation = randomUUID();
  const index = new QdrantVectorIndex({ ...server, installation, logger });
  const figures: QdrantSearchFigures[] = [];
  for (const references of many ? [...REFERENCES, MANY_REFERENCES] : REFERENCES) {
    let indexing = 0;
    const settle = async (): Promise<void> => {
      const start = performance.now();
      while (!(await isSettled(qdrant, installation))) await sleep(ASKED_EVERY_MS);
      indexing = (performance.now() - start) / 1000;
    };
    figures.push({ ...(await measureFilled(index, references, settle)), indexing });
  }
  // Publishes an empty draft, so that the index deletes its collections. Only the draft's empty list of
  // collections remains.
  await (await index.begin()).publish();
  return figures;
}

async function isSettled(qdrant: MeasuredQdrant, installation: string): Promise<boolean> {
  const names = new CollectionNames(installation);
  const { collections } = await ask<{ collections: { name: string }[] }>(qdrant, 'collections');
  for (const { name } of collections) {
    if (!names.parse(name)?.space) continue;
    const { status } = await ask<{ status: string }>(qdrant, `collections/${name}`);
    if (status !== SETTLED) return false;
  }
  return true;
}

async function ask<T>({ url, apiKey }: MeasuredQdrant, path: string): Promise<T> {
  const headers = apiKey === undefined ? {} : { 'api-key': apiKey };
  const response = await fetch(new URL(path, url), { headers });
  if (!response.ok) throw new Error(`Qdrant answers ${response.status} about ${path}.`);
  return ((await response.json()) as { result: T }).result;
}
