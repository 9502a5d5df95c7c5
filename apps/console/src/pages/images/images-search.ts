import type { ImagesFilter } from '../../images/image-target.ts';

export const SORTS = ['newest', 'oldest', 'most_detections', 'fewest_detections', 'taken'] as const;
export const STATUSES = ['pending', 'confirmed', 'rejected'] as const;
export const TYPES = ['face', 'object'] as const;

/** The conditions that are on or off. */
export const FLAGS = [
  'no_detections',
  'no_tagged_faces',
  'no_crops',
  'identity_twice',
  'has_manual_detections',
] as const;

/** The days by which images are selected; both ends of a range belong to it. */
export const DAYS = ['since', 'until', 'taken_since', 'taken_until'] as const;

export type ImagesSort = (typeof SORTS)[number];
type Flag = (typeof FLAGS)[number];
type Day = (typeof DAYS)[number];

/** The state of the page in its address. */
export type ImagesSearch = Partial<Record<Flag, true | undefined>> &
  /** Days such as `2026-11-29`, in the time zone of the browser. */
  Partial<Record<Day, string | undefined>> & {
    readonly identity_id?: readonly number[] | undefined;
    readonly without_identity_id?: number | undefined;
    readonly type?: (typeof TYPES)[number] | undefined;
    readonly review_status?: (typeof STATUSES)[number] | undefined;
    readonly class_name?: string | undefined;
    readonly external_ref?: string | undefined;
    readonly sort?: ImagesSort | undefined;
  };

/** Reads the search parameters. All are present, because the router keeps those that are absent here as they are. */
export function parseImagesSearch(raw: Record<string, unknown>): ImagesSearch {
  const flags = Object.fromEntries(
    FLAGS.map((name) => [name, raw[name] === true ? true : undefined]),
  ) as Record<Flag, true | undefined>;
  const days = Object.fromEntries(DAYS.map((name) => [name, parseDay(raw[name])])) as Record<
    Day,
    string | undefined
  >;
  return {
    ...flags,
    ...days,
    identity_id: parseIds(raw.identity_id),
    without_identity_id: parseId(raw.without_identity_id),
    type: oneOf(TYPES, raw.type),
    review_status: oneOf(STATUSES, raw.review_status),
    class_name: parseText(raw.class_name),
    external_ref: parseText(raw.external_ref),
    sort: oneOf(SORTS, raw.sort),
  };
}

function oneOf<Value extends string>(values: readonly Value[], raw: unknown): Value | undefined {
  return values.find((value) => value === raw);
}

/** The router reads a text of digits as a number. */
function parseText(raw: unknown): string | undefined {
  const text = typeof raw === 'number' ? String(raw) : raw;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

function parseId(raw: unknown): number | undefined {
  return Number.isSafeInteger(raw) && (raw as number) > 0 ? (raw as number) : undefined;
}

function parseIds(raw: unknown): readonly number[] | undefined {
  const ids = [raw].flat().flatMap((each) => parseId(each) ?? []);
  return ids.length > 0 ? [...new Set(ids)] : undefined;
}

function parseDay(raw: unknown): string | undefined {
  if (typeof raw !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(raw)) return undefined;
  return Number.isNaN(Date.parse(`${raw}T00:00`)) ? undefined : raw;
}

/** The filter of requests. Days begin at midnight in the time zone of the browser. */
export function toFilter(search: ImagesSearch): ImagesFilter {
  const { since, until, taken_since: takenSince, taken_until: takenUntil } = search;
  const filter = {
    ...search,
    sort: undefined,
    since: startOf(since, 0),
    until: startOf(until, 1),
    taken_since: startOf(takenSince, 0),
    taken_until: startOf(takenUntil, 1),
  };
  // Bodies contain only what is given.
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

function startOf(day: string | undefined, daysLater: number): string | undefined {
  if (day === undefined) return undefined;
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + daysLater);
  return date.toISOString();
}

/** Whether any condition excludes images. */
export function isFiltered(search: ImagesSearch): boolean {
  return Object.keys(toFilter(search)).length > 0;
}
