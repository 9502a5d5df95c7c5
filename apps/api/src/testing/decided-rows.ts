import { type TestConnection, withClient } from '@sightline/test/support/servers/test-server';
import type { ApiServer } from './api-server.ts';

/** The tables of what people decide, with the columns that are computed from other rows or differ in the last digits. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  identities: [],
  source_images: [],
  detections: [],
  face_vectors: [],
  face_references: [],
  identity_means: ['sum', 'mean'],
  rejected_pairs: [],
};

export type TableRows = Readonly<Record<string, readonly unknown[]>>;

/** The rows of the API's environment, in an order that does not depend on the order of writes. */
export async function decidedRows(api: ApiServer, connection: TestConnection): Promise<TableRows> {
  const { id } = await api.stores.keys.environment(api.environment);
  return withClient(connection, async (client) => {
    const all: Record<string, readonly unknown[]> = {};
    for (const [table, without] of Object.entries(TABLES)) {
      const stored = await client.query<{ row: unknown }>(
        `SELECT to_jsonb(t) - $2::text[] AS row FROM ${table} t WHERE environment_id = $1 ORDER BY 1`,
        [id, without],
      );
      all[table] = stored.rows.map(({ row }) => row);
    }
    return all;
  });
}
