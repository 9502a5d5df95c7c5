import type {
  RenditionReader,
  RenditionSubject,
  RenditionWriter,
} from '@sightline/core/media/rendition-store';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import type { ReadContext } from '../database/store-context.ts';

/** The table of each kind with its column of the record, and the table of the records. */
const TABLES = {
  detection: { table: 'detection_renditions', id: 'detection_id', records: 'detections' },
  source: { table: 'source_renditions', id: 'source_image_id', records: 'source_images' },
} as const;

export function renditionReader({ session, environmentId }: ReadContext): RenditionReader {
  return {
    async keyOf({ kind, id: recordId }, width) {
      const { table, id } = TABLES[kind];
      const [row] = await session.query<{ key: string }>(
        `SELECT media_key AS key FROM ${table} WHERE environment_id = $1 AND ${id} = $2 AND width = $3`,
        [environmentId, recordId, width],
      );
      return row?.key ?? null;
    },
  };
}

export function renditionWriter(context: ReadContext): RenditionReader & RenditionWriter {
  const { session, environmentId } = context;
  const reader = renditionReader(context);
  return {
    ...reader,
    async add(subject, { width, key, bytes }) {
      const { table, id, records } = TABLES[subject.kind];
      // The lock keeps the record until the end of the transaction.
      await session.query(
        `INSERT INTO ${table} (environment_id, ${id}, width, media_key, bytes)
         SELECT r.environment_id, r.id, $3, $4, $5 FROM ${records} r
         WHERE r.environment_id = $1 AND r.id = $2 FOR KEY SHARE
         ON CONFLICT DO NOTHING`,
        [environmentId, subject.id, width, key, bytes],
      );
      return reader.keyOf(subject, width);
    },
    async forget({ kind, id: recordId }: RenditionSubject, key) {
      const { table, id } = TABLES[kind];
      await session.query(
        `DELETE FROM ${table} WHERE environment_id = $1 AND ${id} = $2 AND media_key = $3`,
        [environmentId, recordId, key],
      );
    },
  };
}

/** Removes the rows of the renditions of these records. Returns their media keys. */
export async function removeRenditions(
  session: TransactionSession,
  kind: RenditionSubject['kind'],
  recordIds: readonly number[],
): Promise<readonly string[]> {
  const { table, id } = TABLES[kind];
  const rows = await session.query<{ key: string }>(
    `DELETE FROM ${table} WHERE ${id} = any($1::bigint[]) RETURNING media_key AS key`,
    [recordIds],
  );
  return rows.map(({ key }) => key);
}
