import type { ActiveModel } from '@sightline/core/models/model';
import type { TransactionSession } from '../../doors/transaction-session.ts';

/**
 * Renames the row of an imported model whose embedding size contradicts the files that were found under the same name
 * and digest. The row keeps its vectors, which belong to a different model.
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
