import type { ListedModel } from '@sightline/core/models/catalog-store';
import type { ActiveModel, CommercialUse } from '@sightline/core/models/model';
import type { TransactionSession } from '../../doors/transaction-session.ts';

/** The columns of a model `m`. */
const LISTED_COLUMNS = `m.id, m.name, encode(m.digest, 'hex') AS revision, m.task, m.version, m.license,
  m.commercial_use AS "isCommercial", m.commercial_use_reason AS "commercialUseReason", m.provides,
  m.embedding_dim AS "embeddingDim", m.classes, coalesce(m.files, '[]') AS files,
  m.size_bytes AS "sizeBytes", m.status, m.error,
  CASE m.status WHEN 'downloading' THEN m.download_job_id END AS "downloadJobId"`;

/** Whether the catalog names a model `m`, or its files were found. Other rows exist only for their vectors. */
const IS_LISTED = `(m.files IS NOT NULL OR m.status <> 'available')`;

type ListedRow = Omit<ListedModel, 'commercialUse'> & { readonly isCommercial: boolean | null };

/** The listed models that meet a condition, by id. */
export async function listedModels(
  session: Pick<TransactionSession, 'query'>,
  condition: string,
  values: readonly unknown[],
): Promise<readonly ListedModel[]> {
  const rows = await session.query<ListedRow>(
    `SELECT ${LISTED_COLUMNS} FROM models m WHERE ${IS_LISTED} AND ${condition}`,
    values,
  );
  return rows.map(({ isCommercial, ...row }) => ({ ...row, commercialUse: useOf(isCommercial) }));
}

function useOf(isCommercial: boolean | null): CommercialUse {
  return isCommercial ?? 'unknown';
}

/**
 * Assigns rows of the catalog to found models of the same name, so that they keep their ids. If a model already
 * has a row, only the location of its published files moves to that row.
 */
export async function takeCatalogRows(
  session: TransactionSession,
  found: readonly Pick<ActiveModel, 'name' | 'revision'>[],
): Promise<void> {
  const values = [found.map(({ name }) => name), found.map(({ revision }) => revision)];
  await session.query(
    `WITH found AS (${FOUND}), taken AS (
       DELETE FROM models c USING found f WHERE ${IS_FREE}
         AND EXISTS (SELECT FROM models k WHERE k.name = f.name AND k.digest = f.digest)
       RETURNING f.name, f.digest, c.files
     )
     UPDATE models k SET files = t.files FROM taken t WHERE k.name = t.name AND k.digest = t.digest`,
    values,
  );
  await session.query(
    `WITH found AS (${FOUND})
     UPDATE models c SET digest = f.digest FROM found f WHERE ${IS_FREE}`,
    values,
  );
}

/** If several found models share a name, one of them takes the row. */
const FOUND = `SELECT DISTINCT ON (name) name, decode(digest, 'hex') AS digest
  FROM unnest($1::text[], $2::text[]) AS f (name, digest) ORDER BY name, digest`;

/** A row that is being downloaded is excluded: the end of its download handles files that were found before. */
const IS_FREE = `c.name = f.name AND c.digest IS NULL AND c.status <> 'downloading'`;
