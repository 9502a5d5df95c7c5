import type { ListedModel } from '@sightline/core/models/catalog-store';
import type { ActiveModel, CommercialUse } from '@sightline/core/models/model';
import type { TransactionSession } from '../../doors/transaction-session.ts';

const LISTED_COLUMNS = `m.id, m.name, encode(m.digest, 'hex') AS revision, m.task, m.version, m.license,
  m.commercial_use AS "isCommercial", m.commercial_use_reason AS "commercialUseReason", m.provides,
  m.embedding_dim AS "embeddingDim", m.classes, coalesce(m.files, '[]') AS files,
  m.size_bytes AS "sizeBytes", m.status, m.error,
  CASE m.status WHEN 'downloading' THEN m.download_job_id END AS "downloadJobId"`;

/** Whether a model `m` is in the catalog or has files. Other rows exist only because vectors refer to them. */
const IS_LISTED = `(m.files IS NOT NULL OR m.status <> 'available')`;

type ListedRow = Omit<ListedModel, 'commercialUse'> & { readonly isCommercial: boolean | null };

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
 * Assigns catalog rows to models of the same name whose files were found, so that the models keep their ids. If the
 * model already has another row, the catalog row is deleted, and the model's row gets the location of the published
 * files.
 */
export async function takeCatalogRows(
  session: TransactionSession,
  found: readonly Pick<ActiveModel, 'name' | 'revision'>[],
): Promise<void> {
  const values = [found.map(({ name }) => name), found.map(({ revision }) => revision)];
  await session.query(
    `WITH found AS (${FOUND}), taken AS (
       DELETE FROM models c USING found f WHERE ${IS_FREE}
         AND EXISTS (SELECT FROM models k WHERE k.name = f.name AND k.digest = f.digest
           AND k.environment_id IS NULL)
       RETURNING f.name, f.digest, c.files
     )
     UPDATE models k SET files = t.files FROM taken t
     WHERE k.name = t.name AND k.digest = t.digest AND k.environment_id IS NULL`,
    values,
  );
  await session.query(
    `WITH found AS (${FOUND})
     UPDATE models c SET digest = f.digest FROM found f WHERE ${IS_FREE}`,
    values,
  );
}

/** If several found models have the same name, only one takes the catalog row. */
const FOUND = `SELECT DISTINCT ON (name) name, decode(digest, 'hex') AS digest
  FROM unnest($1::text[], $2::text[]) AS f (name, digest) ORDER BY name, digest`;

/**
 * Excludes catalog rows whose download is running. The end of the download merges such a row with the row of files
 * that were found before.
 */
const IS_FREE = `c.name = f.name AND c.digest IS NULL AND c.status <> 'downloading'`;
