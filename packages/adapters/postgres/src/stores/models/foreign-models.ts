import type { AdoptedModels, ForeignModel } from '@sightline/core/models/model-store';
import type { TransactionSession } from '../../doors/transaction-session.ts';

interface Adoption {
  readonly environmentId: number;
  readonly foreign: readonly ForeignModel[];
  readonly most: number;
}

interface KnownModel {
  readonly id: number;
  readonly embeddingDim: number;
}

/** Serializes the imports of an environment, so that together they keep the limit. */
const LOCK = `SELECT pg_advisory_xact_lock(hashtextextended('sightline.foreign-models', $1))`;

/** Finds models, and inserts rows of the environment for those that the installation lacks. */
export async function adoptModels(
  session: TransactionSession,
  { environmentId, foreign, most }: Adoption,
): Promise<AdoptedModels> {
  await session.query(LOCK, [environmentId]);
  const known = await findModels(session, { environmentId, foreign });
  if (
    foreign.some(({ embeddingDim }, i) => (known[i]?.embeddingDim ?? embeddingDim) !== embeddingDim)
  ) {
    return { kind: 'contradicting' };
  }
  const missing = foreign.filter((_, i) => known[i] === null);
  if (missing.length > 0 && (await countForeign(session, environmentId)) + missing.length > most) {
    return { kind: 'too_many' };
  }
  await session.query(
    `INSERT INTO models (environment_id, name, digest, embedding_dim, task, version, license, provides, classes,
       status)
     SELECT $1, name, decode(digest, 'hex'), dim, 'face', 'unknown', 'unknown', '{}', '{}', 'available'
     FROM unnest($2::text[], $3::text[], $4::integer[]) AS f (name, digest, dim)`,
    [
      environmentId,
      missing.map(({ name }) => name),
      missing.map(({ revision }) => revision),
      missing.map(({ embeddingDim }) => embeddingDim),
    ],
  );
  const rows = await findModels(session, { environmentId, foreign });
  return { kind: 'adopted', ids: rows.map((row) => row!.id) };
}

/**
 * Deletes the foreign models without vectors. An import that is about to store vectors of one of them adopts the model
 * again. Rows without an environment, a file and a vector are left from models that nothing can load.
 */
export async function deleteUnused(session: TransactionSession): Promise<void> {
  await session.query(
    `DELETE FROM models m
     WHERE m.status = 'available' AND m.files IS NULL
       AND NOT EXISTS (SELECT FROM face_vectors v WHERE v.model_id = m.id)
       AND NOT EXISTS (SELECT FROM activations a WHERE m.id IN (a.model_id, a.previous_id))
       AND NOT EXISTS (SELECT FROM embedding_backlogs b WHERE b.model_id = m.id)`,
  );
}

/**
 * A model of the installation without embeddings, such as one of objects, has no vectors of an archive.
 *
 * @returns for each model that of the installation, otherwise that of the environment; null if there is none
 */
async function findModels(
  session: TransactionSession,
  { environmentId, foreign }: Omit<Adoption, 'most'>,
): Promise<readonly (KnownModel | null)[]> {
  const rows = await session.query<KnownModel & { readonly place: number }>(
    `SELECT DISTINCT ON (f.place) f.place::integer, m.id, m.embedding_dim AS "embeddingDim"
     FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS f (name, digest, place)
     JOIN models m ON m.name = f.name AND m.digest = decode(f.digest, 'hex')
       AND (m.environment_id IS NULL OR m.environment_id = $1) AND m.embedding_dim IS NOT NULL
     ORDER BY f.place, m.environment_id NULLS FIRST`,
    [environmentId, foreign.map(({ name }) => name), foreign.map(({ revision }) => revision)],
  );
  const byPlace = new Map(rows.map((row) => [row.place, row]));
  return foreign.map((_, i) => byPlace.get(i + 1) ?? null);
}

/** Counts the foreign models, also those without vectors, because another import may be about to store vectors of them. */
async function countForeign(session: TransactionSession, environmentId: number): Promise<number> {
  const [row] = await session.query<{ amount: number }>(
    'SELECT count(*)::integer AS amount FROM models WHERE environment_id = $1',
    [environmentId],
  );
  return row!.amount;
}
