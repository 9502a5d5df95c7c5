import type {
  IdentityFilter,
  IdentityOrder,
  IdentityPlace,
} from '@sightline/core/identities/identity-store';
import type { Buckets } from '@sightline/core/store/buckets';
import type { Page } from '@sightline/core/store/page';
import { NEVER } from '../../schema/columns.ts';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import {
  cutClauses,
  cutOfSource,
  firstSpot,
  isBehind,
  type ListedRows,
  type PartPosition,
  readPositions,
  type Spot,
} from '../database/listed-rows.ts';
import { readBuckets } from '../database/read-buckets.ts';
import { Placeholders } from '../database/placeholders.ts';
import { lastSeen } from './identity-details.ts';
import { rowIdsOf } from './seen-identity.ts';

/**
 * The number of identities up to which those that a filter finds are sorted. With more, a list walks its order, because
 * it meets enough of them soon.
 */
const FEW = 5000;

/** The number of names that tell whether a text is frequent. */
const SAMPLE = 2000;

const COUNTERS = `('identity.detections', 'identity.pending_review')`;

/**
 * The identities whose standings are not up to date, and their values. They are few: counters are summed up every ten
 * seconds, and then triggers bring the standings up to date.
 */
const CHANGED = `
  changed AS MATERIALIZED (
    SELECT subject_id AS id FROM counter_deltas WHERE NOT is_folded AND counter IN ${COUNTERS}
    UNION SELECT id FROM identities WHERE deleting_since IS NOT NULL
    UNION SELECT merged_into FROM identities WHERE merged_into IS NOT NULL
  ), exact AS MATERIALIZED (
    SELECT i.id AS identity_id, i.type, i.created_at, counts.*,
      coalesce(${lastSeen('own.ids')}, '-infinity') AS last_seen_at
    FROM changed
    CROSS JOIN LATERAL (
      SELECT id, type, created_at FROM identities
      WHERE id = changed.id AND deleting_since IS NULL OFFSET 0) AS i
    CROSS JOIN LATERAL (SELECT array(SELECT id FROM ${rowIdsOf('i.id')} AS r) AS ids) AS own
    CROSS JOIN LATERAL (
      SELECT
        coalesce(sum(delta) FILTER (WHERE counter = 'identity.detections'), 0)::bigint AS detection_count,
        coalesce(sum(delta) FILTER (WHERE counter = 'identity.pending_review'), 0)::bigint AS pending_count
      FROM counter_deltas WHERE subject_id = any(own.ids) AND counter IN ${COUNTERS}) AS counts
  ),`;

const COLUMNS = {
  detections: ['detection_count', 'bigint'],
  newest: ['created_at', 'timestamptz'],
  last_seen: ['last_seen_at', 'timestamptz'],
} as const;

interface StandingRows {
  readonly filter: IdentityFilter;
  /** The ids of the identities that the filter may find; null if they are many. */
  readonly candidates: readonly number[] | null;
}

/** Finds the identities that a filter may find, if they are few. */
async function candidatesOf(
  session: TransactionSession,
  filter: IdentityFilter,
  order: IdentityOrder,
): Promise<readonly number[] | null> {
  const { name } = filter;
  if (name !== undefined && (await isFrequent(session, name))) return null;
  const parameters = new Placeholders();
  const text = candidateQuery(filter, order, parameters);
  if (text === null) return null;
  const rows = await session.query<{ id: number }>(`${text} LIMIT ${FEW + 1}`, parameters.values);
  return rows.length > FEW ? null : rows.map(({ id }) => id);
}

/**
 * Whether so many of the first names contain a text that a list meets them soon. The index of names would read all names
 * with a frequent text before it returns one.
 */
async function isFrequent(session: TransactionSession, name: string): Promise<boolean> {
  const [row] = await session.query<{ found: number }>(
    `SELECT count(*) AS found FROM (
       SELECT folded_label FROM identities WHERE deleting_since IS NULL
       ORDER BY label, type, id LIMIT ${SAMPLE}
     ) AS first WHERE strpos(folded_label, substr(folded_name($1), 2)) > 0`,
    [name],
  );
  return row!.found > SAMPLE / 50;
}

function candidateQuery(
  { name, externalRef, type, hasPending, minDetections }: IdentityFilter,
  order: IdentityOrder,
  parameters: Placeholders,
): string | null {
  if (name !== undefined) {
    const filter = [name, type ?? null, externalRef ?? null].map((value) => parameters.of(value));
    return `SELECT names_containing(${filter.join(', ')}, ${FEW + 1}) AS id`;
  }
  if (externalRef !== undefined) {
    return `SELECT id FROM identities WHERE external_ref = ${parameters.of(externalRef)} AND deleting_since IS NULL`;
  }
  const types = `type = any(${parameters.of(typesOf(type))})`;
  if (hasPending === true) {
    return `SELECT identity_id AS id FROM identity_standings WHERE ${types} AND pending_count > 0`;
  }
  if (minDetections === undefined || order === 'detections') return null;
  const least = parameters.of(minDetections);
  return `SELECT identity_id AS id FROM identity_standings WHERE ${types} AND detection_count >= ${least}`;
}

function typesOf(type: IdentityFilter['type']): readonly string[] {
  return type === undefined ? ['face', 'object'] : [type];
}

/** The list of identities in an order. */
function standingRows(rows: StandingRows, order: IdentityOrder): ListedRows {
  return order === 'label' ? labelRows(rows) : valueRows(rows, COLUMNS[order]);
}

function valueRows(
  { filter, candidates }: StandingRows,
  [column, type]: readonly [string, string],
): ListedRows {
  const parameters = new Placeholders();
  const types = typesOf(filter.type).map((each) => parameters.of(each));
  const ofTypes = `s.type IN (${types.join(', ')})`;
  const { byRow, together, areLookups } = conditionsOf(filter, parameters);
  const only = candidates && parameters.of(candidates);
  const listed =
    only === null
      ? types.map((each) => `s.type = ${each}`)
      : [`s.identity_id = any(${only}) AND ${ofTypes}`];
  const inOrder = 'ORDER BY value DESC, id DESC';
  const select = (spot: Spot, conditions: string, end: string) =>
    [
      ...listed.map((each) => `identity_standings s WHERE ${IS_SETTLED} AND ${each}`),
      `exact s WHERE ${ofTypes}`,
    ]
      .map(
        (from) => `(
          SELECT s.${column} AS value, s.identity_id AS id FROM ${from} ${conditions}
            AND ${isBehind({ value: `s.${column}`, id: 's.identity_id' }, spot, 'desc')} ${end})`,
      )
      .join(' UNION ALL ');
  return {
    direction: 'desc',
    type,
    shared: CHANGED,
    parameters,
    behind: (spot, cut) => `
      SELECT value, id FROM (${select(spot, byRow, `${inOrder} ${cutOfSource(cut)}`)}) AS listed
      ${inOrder} ${cutClauses(cut)}`,
    ...((only !== null || areLookups) && { whole: select(firstSpot('desc', type), together, '') }),
  };
}

const IS_SETTLED = `s.identity_id NOT IN (SELECT id FROM changed)`;
const IS_UNCHANGED = `i.id NOT IN (SELECT id FROM changed)`;

interface Conditions {
  /** SQL that begins with AND, or is empty. It makes Postgres look up each row. */
  readonly byRow: string;
  /** The same conditions for all rows of a list, which are met by a join. */
  readonly together: string;
  /** Whether the conditions depend on another table than that of the order. */
  readonly areLookups: boolean;
}

/** The conditions of a filter, apart from the type, on a row `s` of the standings. */
function conditionsOf(filter: IdentityFilter, parameters: Placeholders): Conditions {
  const own = standingConditions(filter, parameters);
  const named = namedConditions(filter, parameters);
  const lookup = `SELECT true FROM identities i WHERE i.id = s.identity_id ${named}`;
  return lookUp({ own, lookup, isNeeded: named !== '' });
}

function lookUp(parts: {
  readonly own: string;
  readonly lookup: string;
  readonly isNeeded: boolean;
}): Conditions {
  const { own, lookup, isNeeded: areLookups } = parts;
  return {
    byRow: areLookups ? `${own} AND (${lookup})` : own,
    together: areLookups ? `${own} AND EXISTS (${lookup})` : own,
    areLookups,
  };
}

function standingConditions(
  { minDetections, hasPending }: IdentityFilter,
  parameters: Placeholders,
): string {
  const conditions: string[] = [];
  if (minDetections !== undefined) {
    conditions.push(`AND s.detection_count >= ${parameters.of(minDetections)}`);
  }
  if (hasPending === true) conditions.push('AND s.pending_count > 0');
  return conditions.join(' ');
}

/** The conditions on an identity `i` itself. */
function namedConditions(
  {
    name,
    externalRef,
  }: { readonly name?: string | undefined; readonly externalRef?: string | undefined },
  parameters: Placeholders,
): string {
  const conditions: string[] = [];
  if (name !== undefined) {
    conditions.push(
      `AND strpos(i.folded_label, substr(folded_name(${parameters.of(name)}), 2)) > 0`,
    );
  }
  if (externalRef !== undefined)
    conditions.push(`AND i.external_ref = ${parameters.of(externalRef)}`);
  return conditions.join(' ');
}

/** The order by label, with the value of `labelValue`. */
function labelRows({ filter, candidates }: StandingRows): ListedRows {
  const parameters = new Placeholders();
  const types = `i.type = any(${parameters.of(typesOf(filter.type))})`;
  const standing = standingConditions(filter, parameters);
  const named = namedConditions(filter, parameters);
  const only = candidates === null ? '' : `AND i.id = any(${parameters.of(candidates)})`;
  const select = ({ value, id }: Spot, conditions: string, end: string) => `
    SELECT i.label || E'\\x01' || i.type AS value, i.id, i.label, i.type FROM identities i
    WHERE i.deleting_since IS NULL AND ${types} ${named} ${conditions}
      AND (i.label, i.type, i.id)
        > (split_part(${value}, E'\\x01', 1), split_part(${value}, E'\\x01', 2), ${id}) ${end}`;
  const first = firstSpot('asc', 'text');
  const inOrder = 'ORDER BY label, type, id';
  const rows = { direction: 'asc', type: 'text', parameters } as const;
  if (standing === '') {
    return {
      ...rows,
      behind: (spot, cut) => select(spot, only, `${inOrder} ${cutClauses(cut)}`),
      ...(only !== '' && { whole: `SELECT value, id FROM (${select(first, only, '')}) AS listed` }),
    };
  }
  const having = (table: string): Conditions =>
    lookUp({
      own:
        table === 'exact'
          ? 'AND i.id = any(array(SELECT identity_id FROM exact))'
          : `AND ${IS_UNCHANGED} ${only}`,
      lookup: `SELECT true FROM ${table} s WHERE s.identity_id = i.id ${standing}`,
      isNeeded: true,
    });
  const both = (spot: Spot, way: 'byRow' | 'together', end: string) =>
    ['identity_standings', 'exact']
      .map((table) => `(${select(spot, having(table)[way], end)})`)
      .join(' UNION ALL ');
  return {
    ...rows,
    shared: CHANGED,
    behind: (spot, cut) => `
      SELECT value, id FROM (${both(spot, 'byRow', `${inOrder} ${cutOfSource(cut)}`)}) AS listed
      ${inOrder} ${cutClauses(cut)}`,
    whole: `SELECT value, id FROM (${both(first, 'together', '')}) AS listed`,
  };
}

export async function readPlaces(
  session: TransactionSession,
  filter: IdentityFilter,
  { order, after, limit }: PlacePage,
): Promise<Page<IdentityPlace>> {
  const candidates = await candidatesOf(session, filter, order);
  const { items, hasMore } = await readPositions(
    session,
    [standingRows({ filter, candidates }, order)],
    {
      after: after && { ...after, value: after.value ?? NEVER },
      limit,
    },
  );
  return {
    items: items.map(toPlace),
    hasMore,
  };
}

/** Divides a list of identities into buckets. */
export async function readPlaceBuckets(
  session: TransactionSession,
  filter: IdentityFilter,
  order: IdentityOrder,
): Promise<Buckets<IdentityPlace['value']>> {
  const candidates = await candidatesOf(session, filter, order);
  const { items, ...rest } = await readBuckets(session, [
    standingRows({ filter, candidates }, order),
  ]);
  return { ...rest, items: items.map(({ first, count }) => ({ first: toPlace(first), count })) };
}

function toPlace({ value, id }: PartPosition): IdentityPlace {
  return { value: isNever(value) ? null : value, id };
}

interface PlacePage {
  readonly order: IdentityOrder;
  readonly after: IdentityPlace | null;
  readonly limit: number | null;
}

/** Whether the driver read the time `-infinity`. */
function isNever(value: unknown): boolean {
  return value === -Infinity;
}

export async function countStandings(
  session: TransactionSession,
  filter: IdentityFilter,
): Promise<number> {
  const candidates = await candidatesOf(session, filter, 'label');
  const { text, values } = countOf({ filter, candidates });
  const [row] = await session.query<{ count: number }>(text, values);
  return row!.count;
}

/** Counts the identities that a filter finds. */
function countOf({ filter, candidates }: StandingRows): {
  readonly text: string;
  readonly values: readonly unknown[];
} {
  const parameters = new Placeholders();
  const types = `s.type = any(${parameters.of(typesOf(filter.type))})`;
  const { together: conditions } = conditionsOf(filter, parameters);
  const only = candidates === null ? '' : `AND s.identity_id = any(${parameters.of(candidates)})`;
  const text = `
    WITH ${CHANGED.replace(/,$/, '')}
    SELECT
      (SELECT count(*) FROM identity_standings s WHERE ${IS_SETTLED} AND ${types} ${only} ${conditions})
      + (SELECT count(*) FROM exact s WHERE ${types} ${conditions}) AS count`;
  return { text, values: parameters.values };
}
