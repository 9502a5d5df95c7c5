import { addToSum, meanOf, removeFromSum } from '@sightline/core/matching/identity-mean';
import type { ReferenceLink } from '@sightline/core/references/reference';
import type { WriteContext } from '../database/store-context.ts';
import { toBytes, toFloat64, toVector } from './vector-bytes.ts';

/** An added or removed reference, and the mean of its identity before the change. */
export interface MovedVector extends ReferenceLink {
  readonly vector: Uint8Array;
  /** The number of references; null if the identity had none for the model. */
  readonly count: number | null;
  readonly sum: Uint8Array | null;
}

/** The mean of an identity for a model. The row is deleted with the last reference. */
interface ChangedMean {
  readonly identityId: number;
  readonly modelId: number;
  count: number;
  readonly sum: Float64Array;
}

/** References that one transaction has removed and added. */
interface MovedVectors {
  readonly removed: readonly MovedVector[];
  readonly added: readonly MovedVector[];
}

/** Updates the means of identities whose references were removed or added. */
export async function changeMeans(
  { session, environmentId }: WriteContext,
  { removed, added }: MovedVectors,
): Promise<void> {
  if (removed.length + added.length === 0) return;
  await storeMeans({ session, environmentId }, changedMeans({ removed, added }));
}

/** Adds the references of an identity that is being merged to the means of its target. */
export async function takeInMeans(
  context: Pick<WriteContext, 'session' | 'environmentId'>,
  { from, into }: { readonly from: number; readonly into: number },
): Promise<void> {
  const rows = await context.session.query<{ modelId: number; count: number; sum: Uint8Array }>(
    `SELECT model_id AS "modelId", reference_count AS count, sum FROM identity_means
     WHERE identity_id = any($1::bigint[])`,
    [[from, into]],
  );
  const means = new Map<number, ChangedMean>();
  for (const { modelId, count, sum } of rows) {
    const added = toFloat64(sum);
    const mean = means.get(modelId);
    if (mean === undefined) means.set(modelId, { identityId: into, modelId, count, sum: added });
    else {
      mean.count += count;
      for (let i = 0; i < added.length; i++) mean.sum[i]! += added[i]!;
    }
  }
  if (means.size === 0) return;
  const left = [...means.values()].map((mean) => ({ ...mean, identityId: from, count: 0 }));
  await storeMeans(context, [...means.values(), ...left]);
}

async function storeMeans(
  context: Pick<WriteContext, 'session' | 'environmentId'>,
  changed: readonly ChangedMean[],
): Promise<void> {
  await Promise.all([
    upsert(
      context,
      changed.filter(({ count }) => count > 0),
    ),
    remove(
      context,
      changed.filter(({ count }) => count === 0),
    ),
  ]);
}

async function upsert(
  { session, environmentId }: Pick<WriteContext, 'session' | 'environmentId'>,
  changed: readonly ChangedMean[],
): Promise<void> {
  if (changed.length === 0) return;
  await session.prepared(
    'change-means',
    `INSERT INTO identity_means (environment_id, identity_id, model_id, reference_count, sum, mean)
     SELECT $1, * FROM unnest($2::bigint[], $3::bigint[], $4::int[], $5::bytea[], $6::bytea[])
     ON CONFLICT (environment_id, identity_id, model_id) DO UPDATE
     SET reference_count = excluded.reference_count, sum = excluded.sum, mean = excluded.mean`,
    [
      environmentId,
      changed.map(({ identityId }) => identityId),
      changed.map(({ modelId }) => modelId),
      changed.map(({ count }) => count),
      changed.map(({ sum }) => toBytes(sum)),
      changed.map(({ sum, count }) => {
        const mean = meanOf(sum, count);
        return mean && toBytes(mean);
      }),
    ],
  );
}

/**
 * The statement is not prepared, because a plan that was kept from a small environment may read all means of a large
 * one.
 */
async function remove(
  { session }: Pick<WriteContext, 'session'>,
  emptied: readonly ChangedMean[],
): Promise<void> {
  if (emptied.length === 0) return;
  await session.query(
    `DELETE FROM identity_means m USING unnest($1::bigint[], $2::bigint[]) AS g (identity_id, model_id)
     WHERE m.identity_id = g.identity_id AND m.model_id = g.model_id`,
    [emptied.map(({ identityId }) => identityId), emptied.map(({ modelId }) => modelId)],
  );
}

function changedMeans({ removed, added }: MovedVectors): readonly ChangedMean[] {
  const means = new Map<string, ChangedMean>();
  const meanOfMoved = ({ identityId, modelId, vector, count, sum }: MovedVector) => {
    const key = `${identityId}/${modelId}`;
    const values = toVector(vector);
    const mean = means.get(key) ?? {
      identityId,
      modelId,
      count: count ?? 0,
      sum: sum === null ? new Float64Array(values.length) : toFloat64(sum),
    };
    means.set(key, mean);
    return { mean, values };
  };
  for (const { mean, values } of removed.map(meanOfMoved)) {
    removeFromSum(mean.sum, values);
    mean.count--;
  }
  for (const { mean, values } of added.map(meanOfMoved)) {
    addToSum(mean.sum, values);
    mean.count++;
  }
  return [...means.values()];
}
