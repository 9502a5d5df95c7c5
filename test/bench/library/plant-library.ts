import { detections } from '@sightline/postgres/schema/detections';
import { identities } from '@sightline/postgres/schema/identities';
import {
  faceReferences,
  faceVectors,
  identityMeans,
  rejectedPairs,
  suggestions,
} from '@sightline/postgres/schema/matching';
import { sourceImages } from '@sightline/postgres/schema/source-images';
import type pg from 'pg';
import { copyRows } from './copy-rows.ts';
import { type LibrarySize, planLibrary } from './library-plan.ts';
import {
  detectionRows,
  type FirstIds,
  identityRows,
  imageRows,
  meanRows,
  type PlannedEnvironment,
  referenceRows,
  rejectionRows,
  suggestionRows,
  vectorRows,
} from './library-rows.ts';

/** The environments of a library. The first one exists already and is empty. */
export interface LibraryOptions {
  readonly environmentId: number;
  readonly large: LibrarySize;
  /** The number of identities in another environment, which has only names. */
  readonly names: number;
  /** The number and the size of the small environments. */
  readonly small: { readonly environments: number; readonly size: LibrarySize };
  /** The active face model. */
  readonly modelId: number;
  readonly dimension: number;
  readonly seed: number;
}

/** The name of the environment in which searches by name are measured. */
export const NAMES_ENVIRONMENT = 'names';

/**
 * Fills a database that has the schema. It copies rows with COPY, without foreign keys but with Sightline's
 * own triggers, which maintain counters and other derived rows.
 *
 * @param client the owner's connection, as a superuser
 */
export async function plantLibrary(client: pg.Client, options: LibraryOptions): Promise<void> {
  const environments = await planEnvironments(client, options);
  await withOwnTriggersAlone(client, async () => {
    const all = <Row>(rowsOf: (environment: PlannedEnvironment) => Iterable<Row>): Iterable<Row> =>
      (function* () {
        for (const environment of environments) yield* rowsOf(environment);
      })();
    await copyRows(client, sourceImages, all(imageRows));
    await copyRows(client, identities, all(identityRows));
    await copyRows(client, detections, all(detectionRows));
    await copyRows(client, faceVectors, all(vectorRows));
    await copyRows(client, faceReferences, all(referenceRows));
    await copyRows(client, identityMeans, all(meanRows));
    await copyRows(client, suggestions, all(suggestionRows));
    await copyRows(client, rejectedPairs, all(rejectionRows));
  });
  await client.query(CONTINUE_SEQUENCES);
}

async function planEnvironments(
  client: pg.Client,
  options: LibraryOptions,
): Promise<readonly PlannedEnvironment[]> {
  const { environmentId, large, names, small, modelId, dimension, seed } = options;
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO environments (name)
     SELECT $1 UNION ALL SELECT 'small ' || i FROM generate_series(1, $2::int) AS i
     RETURNING id`,
    [NAMES_ENVIRONMENT, small.environments],
  );
  const [namesId, ...smallIds] = rows.map(({ id }) => Number(id));
  const sizes: readonly (readonly [number, LibrarySize])[] = [
    [environmentId, large],
    [namesId!, { images: 0, detections: 0, identities: names, references: 0 }],
    ...smallIds.map((id) => [id, small.size] as const),
  ];
  let first: FirstIds = { image: 1, detection: 1, identity: 1, reference: 1 };
  return sizes.map(([id, size]) => {
    const plan = planLibrary(size, seed + id);
    const planned = { environmentId: id, plan, seed: seed + id, modelId, dimension, first };
    first = {
      image: first.image + size.images,
      detection: first.detection + size.detections,
      identity: first.identity + size.identities,
      reference: first.reference + plan.isEnrolled.reduce((total, one) => total + one, 0),
    };
    return planned;
  });
}

/** Runs work without the checks of foreign keys, which are triggers too and would run once per row. */
async function withOwnTriggersAlone(client: pg.Client, work: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ place: string; name: string }>(
    `SELECT tgrelid::regclass::text AS place, tgname AS name FROM pg_trigger
     WHERE NOT tgisinternal AND tgenabled = 'O'`,
  );
  const alter = (change: string) =>
    rows.map(({ place, name }) => `ALTER TABLE ${place} ${change} TRIGGER ${name}`).join('; ');
  await client.query('BEGIN');
  await client.query(alter('ENABLE ALWAYS'));
  await client.query('SET LOCAL session_replication_role = replica');
  await work();
  await client.query(alter('ENABLE'));
  await client.query('COMMIT');
}

const CONTINUE_SEQUENCES = ['source_images', 'identities', 'detections', 'face_references']
  .map((table) => `SELECT setval(pg_get_serial_sequence('${table}', 'id'), max(id)) FROM ${table}`)
  .join('; ');
