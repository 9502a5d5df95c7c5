import { createLogger } from '@sightline/platform/logging/logger';
import { Doors } from '@sightline/postgres/doors/doors';
import { openPools, type Pools } from '@sightline/postgres/doors/open-pools';
import type { TransactionSession } from '@sightline/postgres/doors/transaction-session';
import pg from 'pg';
import { createMigratedDatabase } from './migrated-database.ts';
import { PATIENT_LIMITS } from './patient-limits.ts';
import type { TestConnection } from './test-server.ts';

/** Doors to a database of a test's own, with two environments in it. */
export interface TestDoors extends AsyncDisposable {
  readonly doors: Doors;
  readonly pools: Pools;
  /** As the owner, whom no policy holds. */
  readonly connection: TestConnection;
  readonly owner: pg.Pool;
  readonly ours: number;
  readonly theirs: number;
}

export async function openTestDoors(): Promise<TestDoors> {
  const database = await createMigratedDatabase();
  const { connection } = database;
  const logger = createLogger({ level: 'silent' });
  const pools = openPools(connection, { ...PATIENT_LIMITS, logger });
  const owner = new pg.Pool({ ...connection, max: 2 });
  owner.on('error', () => undefined);
  const doors = new Doors(pools);
  const [ours, theirs] = await doors.withPlatform('accounts', (session) =>
    session.query<{ id: number }>(
      `INSERT INTO environments (name) VALUES ('ours'), ('theirs') RETURNING id`,
    ),
  );
  return {
    doors,
    pools,
    connection,
    owner,
    ours: ours!.id,
    theirs: theirs!.id,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([pools[Symbol.asyncDispose](), owner.end()]);
      await database[Symbol.asyncDispose]();
    },
  };
}

let sources = 0;

/** Adds an image with detections of faces; answers the ids of the detections. */
export async function addFaces(
  session: TransactionSession,
  environmentId: number,
  faces: { readonly count: number; readonly identityId?: number },
): Promise<readonly number[]> {
  const name = `${environmentId}-${process.pid}-${sources++}`;
  const rows = await session.query<{ id: number }>(
    `WITH source AS (
       INSERT INTO source_images (environment_id, digest, size_bytes, format, width, height,
         stored_width, stored_height, media_key, media_bytes)
       VALUES ($1, sha256($2::text::bytea), 1000, 'jpeg', 640, 480, 640, 480, $2::text, 500)
       RETURNING id)
     INSERT INTO detections (environment_id, source_image_id, type, bbox_x, bbox_y, bbox_w, bbox_h,
       confidence, identity_id, review_status, decided_by, is_manual, crop_key, crop_bytes)
     SELECT $1, source.id, 'face', n, n, 50, 50, 0.9, $4, 'pending', 'automatic', false,
       $2 || '-' || n, 10
     FROM source, generate_series(1, $3::int) AS n
     RETURNING id`,
    [environmentId, name, faces.count, faces.identityId ?? null],
  );
  return rows.map(({ id }) => id);
}
