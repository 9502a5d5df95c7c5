import { addToSum, meanOf } from '@sightline/core/matching/identity-mean';
import type { Doors } from '../../doors/doors.ts';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { toFloat64, toVector } from '../references/vector-bytes.ts';

/** The number of means that one transaction compares with their references. */
const PAGE = 200;
/** The maximum number of references in memory at the same time. */
const FETCHED = 1000;
/**
 * The tolerated difference between a stored mean or sum and the value that the references give. They may differ
 * slightly, because the order of additions changes a float64 sum, and the mean is stored as float32.
 */
const TOLERANCE = 1e-6;

interface MeanRow {
  readonly environmentId: number;
  readonly identityId: number;
  readonly modelId: number;
  readonly sum: Uint8Array;
  readonly mean: Uint8Array | null;
}

type Position = Pick<MeanRow, 'environmentId' | 'identityId' | 'modelId'>;

const KEYS = 'environment_id, identity_id, model_id';
const START: Position = { environmentId: 0, identityId: 0, modelId: 0 };

/**
 * Finds stored means that differ from the mean of their identity's references, except in environments that are being
 * deleted. Returns one sentence for each.
 */
export async function inconsistentMeans(
  doors: Doors,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (let after: Position | null = START; after !== null;) {
    const from: Position = after;
    const page = await doors.surveyPlatform(
      'maintenance',
      (session) => comparePage(session, from),
      signal,
    );
    found.push(...page.found);
    after = page.next;
  }
  return found;
}

async function comparePage(
  session: TransactionSession,
  after: Position,
): Promise<{ readonly found: readonly string[]; readonly next: Position | null }> {
  const means = await session.query<MeanRow>(
    `SELECT environment_id AS "environmentId", identity_id AS "identityId",
            model_id AS "modelId", sum, mean
     FROM identity_means
     WHERE (${KEYS}) > ($1, $2, $3) AND NOT EXISTS (
       SELECT FROM environments e WHERE e.id = environment_id AND e.deleting_since IS NOT NULL)
     ORDER BY ${KEYS} LIMIT ${PAGE}`,
    [after.environmentId, after.identityId, after.modelId],
  );
  const sums = await sumsOf(session, means);
  const found = means.flatMap((row) => {
    const sum = sums.get(keyOf(row));
    return sum !== undefined && agrees(row, sum) ? [] : [sentence(row)];
  });
  return { found, next: means.length === PAGE ? means.at(-1)! : null };
}

interface ReferenceRow extends Position {
  readonly vector: Uint8Array;
}

interface ReferenceSum {
  readonly values: Float64Array;
  count: number;
}

async function sumsOf(
  session: TransactionSession,
  means: readonly MeanRow[],
): Promise<ReadonlyMap<string, ReferenceSum>> {
  // References of an identity that is being merged count for its target. OFFSET 0 keeps the planner from joining whole
  // tables for each page.
  await session.query(
    `DECLARE own_references NO SCROLL CURSOR FOR
     SELECT m.environment_id AS "environmentId", m.identity_id AS "identityId",
            m.model_id AS "modelId", v.vector
     FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS m (${KEYS})
     CROSS JOIN LATERAL (
       SELECT m.identity_id AS id
       UNION ALL
       SELECT id FROM identities
       WHERE environment_id = m.environment_id AND merged_into = m.identity_id
     ) AS own
     CROSS JOIN LATERAL (
       SELECT detection_id FROM face_references
       WHERE environment_id = m.environment_id AND identity_id = own.id AND model_id = m.model_id
       OFFSET 0
     ) AS r
     CROSS JOIN LATERAL (
       SELECT vector FROM face_vectors
       WHERE environment_id = m.environment_id AND detection_id = r.detection_id
         AND model_id = m.model_id LIMIT 1
     ) AS v`,
    [
      means.map(({ environmentId }) => environmentId),
      means.map(({ identityId }) => identityId),
      means.map(({ modelId }) => modelId),
    ],
  );
  const sums = new Map<string, ReferenceSum>();
  let rows: readonly ReferenceRow[];
  do {
    rows = await session.query<ReferenceRow>(`FETCH ${FETCHED} FROM own_references`);
    addRows(sums, rows);
  } while (rows.length === FETCHED);
  await session.query('CLOSE own_references');
  return sums;
}

function addRows(sums: Map<string, ReferenceSum>, rows: readonly ReferenceRow[]): void {
  for (const row of rows) {
    const vector = toVector(row.vector);
    const sum = sums.get(keyOf(row)) ?? { values: new Float64Array(vector.length), count: 0 };
    // A vector whose length differs from that of the sum is left out. A separate query reports such vectors.
    if (vector.length === sum.values.length) addToSum(sum.values, vector);
    sum.count++;
    sums.set(keyOf(row), sum);
  }
}

function agrees(row: MeanRow, { values, count }: ReferenceSum): boolean {
  const mean = meanOf(toFloat64(row.sum), count);
  return (
    isNear(toFloat64(row.sum), values) &&
    (row.mean === null ? mean === null : mean !== null && isNear(toVector(row.mean), mean))
  );
}

function isNear(a: Float32Array | Float64Array, b: Float32Array | Float64Array): boolean {
  return a.length === b.length && a.every((value, i) => Math.abs(value - b[i]!) <= TOLERANCE);
}

function sentence({ identityId, modelId }: Position): string {
  return `The mean of identity ${identityId} and model ${modelId} differs from the mean of its references.`;
}

function keyOf({ environmentId, identityId, modelId }: Position): string {
  return `${environmentId}/${identityId}/${modelId}`;
}
