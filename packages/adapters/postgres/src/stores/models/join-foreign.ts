import { SERVICE } from '@sightline/core/store/actor';
import type { ReferenceLink } from '@sightline/core/references/reference';
import type { Doors } from '../../doors/doors.ts';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import type { WriteContext } from '../database/store-context.ts';
import { TransactionLocks } from '../database/transaction-locks.ts';
import { seenId } from '../identities/seen-identity.ts';
import { PostgresReferenceWriter } from '../references/references.ts';

/** A foreign model of an environment, and the model of the installation with the same name and digest. */
interface ForeignJoin {
  readonly environmentId: number;
  readonly foreignId: number;
  readonly modelId: number;
  /** Whether the archive claimed the right length of the vectors. */
  readonly fits: boolean;
}

/** The number of faces per transaction, because all writers of the environment wait for it. */
const FACES = 200;

/**
 * Whether a vector `v` of a foreign model can be moved or deleted. An enrolled face keeps a vector of the wrong length
 * until it has one of the right model.
 */
function isMovable({
  foreignId,
  modelId,
  fits,
}: Record<'foreignId' | 'modelId' | 'fits', string>): string {
  return `v.model_id = ${foreignId} AND (${fits} OR EXISTS (
      SELECT FROM face_vectors n WHERE n.environment_id = v.environment_id
        AND n.detection_id = v.detection_id AND n.model_id = ${modelId})
    OR NOT EXISTS (
      SELECT FROM face_references r WHERE r.environment_id = v.environment_id
        AND r.detection_id = v.detection_id AND r.model_id = ${foreignId}))`;
}

/** Finds the foreign models with vectors to move or delete, without a lock: most of the time there are none. */
export async function foreignJoins(session: TransactionSession): Promise<readonly ForeignJoin[]> {
  const fits = 'f.embedding_dim = m.embedding_dim';
  return session.query<ForeignJoin>(
    `SELECT f.environment_id AS "environmentId", f.id AS "foreignId", m.id AS "modelId",
       ${fits} AS fits
     FROM models f JOIN models m ON m.name = f.name AND m.digest = f.digest
     WHERE f.environment_id IS NOT NULL AND m.environment_id IS NULL AND m.embedding_dim IS NOT NULL
       AND EXISTS (SELECT FROM face_vectors v WHERE ${isMovable({ foreignId: 'f.id', modelId: 'm.id', fits })})
     ORDER BY f.id`,
  );
}

/** Moves or deletes the vectors and references of a foreign model; see `ModelStore.joinForeign`. */
export async function joinVectors(
  doors: Doors,
  join: ForeignJoin,
  signal?: AbortSignal,
): Promise<void> {
  const { environmentId } = join;
  const scope = { environmentId, locks: [{ entity: 'environment' }] as const };
  let isDone = false;
  while (!isDone) {
    isDone = await doors.withEntities(
      scope,
      async (session, require) => {
        // No search of this transaction uses an index.
        const locks = new TransactionLocks(require);
        const joined = await joinFaces(
          { session, environmentId, actor: SERVICE, reader: '', locks },
          join,
        );
        return joined < FACES;
      },
      signal,
    );
  }
}

/** @returns the number of faces that lost their vector of the foreign model */
async function joinFaces(context: WriteContext, join: ForeignJoin): Promise<number> {
  const { session } = context;
  const { foreignId, modelId, fits } = join;
  const rows = await session.query<{ id: number }>(
    `SELECT detection_id AS id FROM face_vectors v
     WHERE ${isMovable({ foreignId: '$1', modelId: '$2', fits: '$3' })} LIMIT $4`,
    [foreignId, modelId, fits, FACES],
  );
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return 0;
  if (fits) {
    await session.query(
      `INSERT INTO face_vectors (environment_id, detection_id, model_id, vector, created_at)
       SELECT environment_id, detection_id, $2, vector, created_at FROM face_vectors
       WHERE model_id = $1 AND detection_id = any($3::bigint[])
       ON CONFLICT DO NOTHING`,
      [foreignId, modelId, ids],
    );
  }
  await moveReferences(context, join, ids);
  await session.query(
    'DELETE FROM face_vectors WHERE model_id = $1 AND detection_id = any($2::bigint[])',
    [foreignId, ids],
  );
  return ids.length;
}

async function moveReferences(
  context: WriteContext,
  { foreignId, modelId }: ForeignJoin,
  detectionIds: readonly number[],
): Promise<void> {
  const { session } = context;
  const references = await session.query<ReferenceLink & { readonly createdAt: Date }>(
    `SELECT r.id, ${seenId('i')} AS "identityId", r.model_id AS "modelId",
       r.detection_id AS "detectionId", r.created_at AS "createdAt"
     FROM face_references r
     JOIN identities i ON i.environment_id = r.environment_id AND i.id = r.identity_id
     WHERE r.model_id = $1 AND r.detection_id = any($2::bigint[])`,
    [foreignId, detectionIds],
  );
  const writer = new PostgresReferenceWriter(context);
  await writer.revoke(references);
  await writer.enroll(references.map((reference) => ({ ...reference, modelId })));
}
