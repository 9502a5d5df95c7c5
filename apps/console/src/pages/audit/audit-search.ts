import type { OperationInput } from '../../client/operations.ts';

export const SCOPES = ['environment', 'installation'] as const;

/** The filters in the address. Days are those of the browser's time zone, and both ends belong to the range. */
export interface AuditSearch {
  readonly scope: (typeof SCOPES)[number] | undefined;
  readonly action: string | undefined;
  readonly kind: string | undefined;
  readonly entity: string | undefined;
  readonly person: string | undefined;
  readonly key: number | undefined;
  readonly since: string | undefined;
  readonly until: string | undefined;
}

/** The names of the filters, which exclude entries. */
export const FILTERS = ['kind', 'action', 'person', 'key', 'entity', 'since', 'until'] as const;

export type Filter = (typeof FILTERS)[number];

const MOST_CHARACTERS = 100;

export function parseAuditSearch(raw: Record<string, unknown>): AuditSearch {
  return {
    scope: SCOPES.find((scope) => scope === raw.scope),
    action: toText(raw.action),
    kind: toText(raw.kind),
    entity: toText(raw.entity),
    person: toText(raw.person),
    key: Number.isSafeInteger(raw.key) && (raw.key as number) > 0 ? (raw.key as number) : undefined,
    since: toDay(raw.since),
    until: toDay(raw.until),
  };
}

/** The router reads a text of digits as a number. */
function toText(raw: unknown): string | undefined {
  const text = typeof raw === 'number' ? String(raw) : raw;
  if (typeof text !== 'string' || text.trim() === '') return undefined;
  return text.slice(0, MOST_CHARACTERS);
}

function toDay(raw: unknown): string | undefined {
  if (typeof raw !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(raw)) return undefined;
  return Number.isNaN(Date.parse(`${raw}T00:00`)) ? undefined : raw;
}

/** The filter of requests. */
export function toAuditQuery(
  search: AuditSearch,
): NonNullable<OperationInput<'listAudit'>['query']> {
  return {
    scope: search.scope,
    action: search.action,
    entity_type: search.kind,
    entity_id: search.entity,
    user_id: search.person,
    key_id: search.key,
    since: startOf(search.since, 0),
    until: startOf(search.until, 1),
  };
}

function startOf(day: string | undefined, daysLater: number): string | undefined {
  if (day === undefined) return undefined;
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + daysLater);
  return date.toISOString();
}
