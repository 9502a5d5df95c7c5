import type {
  QueueFilter,
  QueueOrder,
  SuggestionRule,
} from '@sightline/core/detections/face-lists';
import {
  type Cut,
  cutClauses,
  cutOfSource,
  firstSpot,
  isBehind,
  type ListedRows,
  type Spot,
} from '../database/listed-rows.ts';
import { Placeholders } from '../database/placeholders.ts';
import { rowIdsOf, stays } from '../identities/seen-identity.ts';
import { AWAITS_REVIEW, identityOf, rejectedFrom } from './face-list-queries.ts';

/** The column of each order, which detections and suggested_faces both have, except for the similarity. */
const COLUMNS = {
  confidence: 'confidence',
  newest: 'detected_at',
  similarity: 'similarity',
} as const;
const TYPES = { confidence: 'float8', newest: 'timestamptz', similarity: 'float8' } as const;

/** Whether any identity is being deleted or merged. Without one, suggested_faces is exact. */
export const ANY_LEAVING = `
  SELECT EXISTS (SELECT FROM identities WHERE deleting_since IS NOT NULL) AS any`;

/** Whether a detection `d` has no identity, or one that readers see. */
export const IS_SEEN = `coalesce((
    SELECT true FROM identities i WHERE i.id = d.identity_id AND ${stays('i')}), d.identity_id IS NULL)`;

/**
 * Whether a row `f` of suggested_faces has a visible suggestion. A scalar subquery makes Postgres look up the
 * suggestions face by face in an index.
 *
 * @param rule the placeholders of the model and of the least similarity
 */
export function hasSuggestion([modelId, leastSimilarity]: readonly [string, string]): string {
  return `coalesce((
    SELECT true FROM suggestions s CROSS JOIN ${identityOf('s.identity_id')} AS known
    WHERE s.detection_id = f.detection_id AND s.model_id = ${modelId}
      AND s.similarity >= ${leastSimilarity}
      AND NOT ${rejectedFrom('known.id', 's')}
    LIMIT 1), false)`;
}

/** Whether the filter finds only faces with a suggestion. */
export function needsSuggestion({
  suggestedOnly,
  identityId,
  minSimilarity,
}: QueueFilter): boolean {
  return suggestedOnly === true || identityId !== undefined || minSimilarity !== undefined;
}

/** The least similarity that a rule and a filter allow. */
export function leastOf(rule: SuggestionRule, { minSimilarity }: QueueFilter): number {
  return Math.max(rule.leastSimilarity, minSimilarity ?? -Infinity);
}

/**
 * Returns the parts of the queue in an order.
 *
 * @param isSettled whether no identity is in the middle of its deletion or merge, so that no face has to be checked
 */
export function queueParts(
  filter: QueueFilter,
  order: QueueOrder,
  isSettled = false,
): readonly ListedRows[] {
  const { rule } = filter;
  if (needsSuggestion(filter)) {
    return rule === null ? [] : [suggestedRows({ ...filter, rule }, order, isSettled)];
  }
  if (order !== 'similarity') return [queuedRows(order, isSettled)];
  if (rule === null) return [unsuggestedRows(null, isSettled)];
  // All faces with a row are listed here, even those whose suggestions are of identities that are being deleted.
  return [
    rankedRows({ ...filter, rule }, order, isSettled ? '' : SEEN_FACE),
    unsuggestedRows(rule, isSettled),
  ];
}

/** Whether the face of a row `f` has no identity, or one that readers see. */
export const SEEN_FACE = `AND (SELECT ${IS_SEEN} FROM detections d WHERE d.id = f.detection_id)`;

function queuedRows(order: 'confidence' | 'newest', isSettled: boolean): ListedRows {
  const column = COLUMNS[order];
  return {
    direction: 'desc',
    type: TYPES[order],
    parameters: new Placeholders(),
    behind: (spot, cut) => `
      SELECT d.${column} AS value, d.id FROM detections d
      WHERE ${AWAITS_REVIEW} ${isSettled ? '' : `AND ${IS_SEEN}`}
        AND ${isBehind({ value: `d.${column}`, id: 'd.id' }, spot, 'desc')}
      ORDER BY d.${column} DESC, d.id DESC ${cutClauses(cut)}`,
  };
}

/** The faces of the queue without a suggestion, by id. */
function unsuggestedRows(rule: SuggestionRule | null, isSettled: boolean): ListedRows {
  const parameters = new Placeholders();
  const suggested =
    rule &&
    `SELECT true FROM suggested_faces f
     WHERE f.detection_id = d.id AND f.model_id = ${parameters.of(rule.modelId)}
       AND f.similarity >= ${parameters.of(rule.leastSimilarity)}`;
  const rows = `
    SELECT NULL::float8 AS value, d.id FROM detections d
    WHERE ${AWAITS_REVIEW} ${isSettled ? '' : `AND ${IS_SEEN}`}`;
  return {
    direction: 'desc',
    type: null,
    parameters,
    // A page asks for face after face, and all rows are found by a join.
    whole: `${rows} ${suggested === null ? '' : `AND NOT EXISTS (${suggested})`}`,
    behind: ({ id }, cut) => `
      ${rows} ${suggested === null ? '' : `AND NOT coalesce((${suggested}), false)`} AND d.id < ${id}
      ORDER BY d.id DESC ${cutClauses(cut)}`,
  };
}

export type RuledFilter = QueueFilter & { readonly rule: SuggestionRule };

function suggestedRows(filter: RuledFilter, order: QueueOrder, isSettled: boolean): ListedRows {
  return rankedRows(filter, order, isSettled ? '' : 'visible');
}

/**
 * The faces whose best suggestion is an identity, by similarity.
 *
 * @param identity an SQL expression for its id
 */
export function rowsOfGroup(filter: RuledFilter, identity: string, isSettled: boolean): ListedRows {
  return rankedRows({ ...filter, identity }, 'similarity', isSettled ? '' : 'visible');
}

/** The faces that have rows in suggested_faces. */
function rankedRows(
  filter: RuledFilter & { readonly identity?: string },
  order: QueueOrder,
  check: string,
): ListedRows {
  const { rule, identityId } = filter;
  const parameters = new Placeholders();
  const model = parameters.of(rule.modelId);
  const least = parameters.of(leastOf(rule, filter));
  const checks = check === 'visible' ? `${SEEN_FACE} AND ${hasSuggestion([model, least])}` : check;
  const column = COLUMNS[order];
  const rows = (spot: Spot, condition: string, end: string) => `
    SELECT f.${column} AS value, f.detection_id AS id, f.detection_id FROM suggested_faces f
    WHERE f.model_id = ${model} AND f.similarity >= ${least} ${condition}
      AND ${isBehind({ value: `f.${column}`, id: 'f.detection_id' }, spot, 'desc')}
    ORDER BY f.${column} DESC, f.detection_id DESC ${end}`;
  const list = { direction: 'desc', type: TYPES[order], parameters } as const;
  const identity = identityId === undefined ? filter.identity : parameters.of(identityId);
  if (identity === undefined) {
    return { ...list, behind: (spot, cut) => rows(spot, checks, cutClauses(cut)) };
  }
  const own = rowIdsOf(identity);
  const behind = (spot: Spot, cut: Cut) => {
    const found = (end: string) => `
      SELECT found.* FROM ${own} AS own
      CROSS JOIN LATERAL (${rows(spot, 'AND f.identity_id = own.id', end)}) AS found
      ORDER BY found.value DESC, found.id DESC`;
    if (checks === '')
      return `SELECT value, id FROM (${found(cutOfSource(cut))}) AS f ${cutClauses(cut)}`;
    // The faces are sorted before they are checked, so that a page checks few of them.
    return `SELECT f.value, f.id FROM (${found('')} OFFSET 0) AS f WHERE true ${checks} ${cutClauses(cut)}`;
  };
  if (order === 'similarity') return { ...list, behind };
  return { ...list, behind, whole: behind(firstSpot('desc', TYPES[order]), {}) };
}

/**
 * SQL of common table expressions: identities that are being deleted or merged, and the faces that refer to them, for
 * which suggested_faces may be wrong.
 */
export const DOUBTFUL = `
  deleting AS (
    SELECT environment_id, id, merged_into FROM identities WHERE deleting_since IS NOT NULL
  ), doubtful AS (
    SELECT s.environment_id, s.detection_id
    FROM deleting l
    JOIN suggestions s ON s.environment_id = l.environment_id AND s.identity_id = l.id
    UNION
    SELECT p.environment_id, p.detection_id
    FROM deleting l
    JOIN rejected_pairs p ON p.environment_id = l.environment_id AND p.identity_id = l.id
    UNION
    SELECT d.environment_id, d.id
    FROM deleting l
    JOIN detections d ON d.environment_id = l.environment_id AND d.identity_id = l.id
    WHERE l.merged_into IS NULL AND ${AWAITS_REVIEW}
  )`;

/**
 * Counts the faces with a suggestion. The table suggested_faces is exact unless identities are being deleted or merged.
 * Faces that refer to such an identity are checked again, and subtracted if no visible suggestion remains.
 */
export function countSuggested(filter: RuledFilter): {
  readonly text: string;
  readonly values: readonly unknown[];
} {
  const { rule, identityId } = filter;
  const parameters = new Placeholders();
  const model = parameters.of(rule.modelId);
  const least = parameters.of(leastOf(rule, filter));
  const own =
    identityId === undefined
      ? ''
      : `AND f.identity_id = any(array(SELECT id FROM ${rowIdsOf(parameters.of(identityId))} AS own))`;
  const counted = `f.model_id = ${model} AND f.similarity >= ${least} ${own}`;
  const text = `
  WITH ${DOUBTFUL}
  SELECT (
    SELECT count(*) FROM suggested_faces f WHERE ${counted}
  ) - (
    SELECT count(*)
    FROM doubtful
    JOIN suggested_faces f USING (environment_id, detection_id)
    JOIN detections d ON d.environment_id = f.environment_id AND d.id = f.detection_id
    WHERE ${counted} AND NOT (${IS_SEEN} AND ${hasSuggestion([model, least])})
  ) AS count`;
  return { text, values: parameters.values };
}
