import type { ActiveModel } from '@sightline/core/models/model';
import type { TransactionSession } from '../../doors/transaction-session.ts';

/**
 * Sets aside a row that an archive imported if it contradicts a model that is found now. Its vectors belong to
 * another model, which keeps them under another name.
 */
export async function setAside(
  session: TransactionSession,
  found: readonly ActiveModel[],
): Promise<void> {
  await session.query(
    `UPDATE models m SET name = m.name || ' of an archive, ' || m.id
     FROM unnest($1::text[], $2::text[], $3::integer[]) AS f (name, digest, embedding_dim)
     WHERE m.name = f.name AND m.digest = decode(f.digest, 'hex') AND m.status = 'available'
       AND m.embedding_dim IS DISTINCT FROM f.embedding_dim`,
    [
      found.map(({ name }) => name),
      found.map(({ revision }) => revision),
      found.map(({ embeddingDim }) => embeddingDim),
    ],
  );
}
