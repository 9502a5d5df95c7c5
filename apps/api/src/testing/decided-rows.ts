/** The tables of what people decide, with the columns that are computed from other rows or differ in the last digits. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  identities: [],
  source_images: [],
  detections: ['queued_at'],
  face_vectors: [],
  face_references: [],
  identity_means: ['sum', 'mean'],
  rejected_pairs: [],
};

interface Queried {
  query<Row>(text: string, values: readonly unknown[]): Promise<{ readonly rows: Row[] }>;
}

/** The rows of an environment, in an order that does not depend on the order of writes. */
export async function decidedRows(
  client: Queried,
  environmentId: number,
): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const all: Record<string, readonly unknown[]> = {};
  for (const [table, without] of Object.entries(TABLES)) {
    const { rows } = await client.query<{ row: unknown }>(
      `SELECT to_jsonb(t) - $2::text[] AS row FROM ${table} t WHERE environment_id = $1 ORDER BY 1`,
      [environmentId, without],
    );
    all[table] = rows.map(({ row }) => row);
  }
  return all;
}
