import type { Api } from '../../client/api.ts';
import type { OperationInput } from '../../client/operations.ts';
import { toCsv } from './to-csv.ts';
import type { AuditEntry } from './use-audit-texts.ts';

const PAGE_SIZE = 500;

const COLUMNS = [
  'id',
  'at',
  'environment_id',
  'actor',
  'user_id',
  'key_id',
  'action',
  'entity_type',
  'entity_ids',
  'details',
  'request_id',
] as const;

export interface AuditExport {
  readonly query: NonNullable<OperationInput<'listAudit'>['query']>;
  readonly actorName: (entry: AuditEntry) => string;
  /** Called after each page with the number of entries so far. */
  readonly onProgress: (count: number) => void;
  readonly signal: AbortSignal;
}

/** Reads all entries that fit, page after page, and returns them as a file. */
export async function exportAudit(
  api: Api,
  { query, actorName, onProgress, signal }: AuditExport,
): Promise<{ readonly file: Blob; readonly count: number }> {
  const parts = [toCsv([COLUMNS])];
  let count = 0;
  let cursor: string | null = null;
  do {
    const page: { items: readonly AuditEntry[]; next_cursor: string | null } = await api.read(
      'listAudit',
      { query: { ...query, limit: PAGE_SIZE, cursor: cursor ?? undefined }, signal },
    );
    parts.push(toCsv(page.items.map((entry) => toRow(entry, actorName(entry)))));
    count += page.items.length;
    onProgress(count);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return { file: new Blob(parts, { type: 'text/csv' }), count };
}

function toRow(entry: AuditEntry, actor: string) {
  return [
    entry.id,
    entry.at,
    entry.environment_id,
    actor,
    entry.user_id,
    entry.key_id,
    entry.action,
    entry.entity_type,
    entry.entity_ids.join(' '),
    JSON.stringify(entry.details),
    entry.request_id,
  ];
}
