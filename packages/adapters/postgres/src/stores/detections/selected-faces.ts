import type { QueueSelection } from '@sightline/core/detections/queue-selection';
import { Placeholders } from '../database/placeholders.ts';
import { rowIdsOf } from '../identities/seen-identity.ts';
import { AWAITS_REVIEW } from './face-list-queries.ts';
import { hasSuggestion, IS_SEEN, leastOf, SEEN_FACE } from './review-queue.ts';

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The statements about the faces that a selection chooses. */
export interface SelectedFaces {
  readonly count: () => Statement;
  /** Selects the ids of the first faces behind an id. */
  readonly behind: (after: number, limit: number) => Statement;
  /** Selects those of some ids that are chosen. */
  readonly among: (ids: readonly number[]) => Statement;
}

/**
 * Returns the statements of a selection; null if it chooses nothing, because there are no suggestions.
 *
 * @param isSettled whether no identity is in the middle of its deletion or merge, so that no face has to be checked
 */
export function selectedFaces(selection: QueueSelection, isSettled: boolean): SelectedFaces | null {
  const { rule, identityId, minSimilarity, maxSimilarity } = selection;
  if (identityId === undefined && minSimilarity === undefined && maxSimilarity === undefined) {
    return queued(selection, isSettled);
  }
  return rule === null ? null : suggested({ ...selection, rule }, isSettled);
}

/** The conditions that each face has to meet, on the columns of a row of `table` with the face's id in `id`. */
function conditionsOf(
  { detectedSince, detectedUntil, except }: QueueSelection,
  { table, id }: { readonly table: string; readonly id: string },
  parameters: Placeholders,
): string {
  const conditions: string[] = [];
  if (detectedSince !== undefined) {
    conditions.push(`AND ${table}.detected_at >= ${parameters.of(detectedSince)}`);
  }
  if (detectedUntil !== undefined) {
    conditions.push(`AND ${table}.detected_at < ${parameters.of(detectedUntil)}`);
  }
  if (except.length > 0) {
    conditions.push(`AND ${table}.${id} <> ALL (${parameters.of(except, 'bigint[]')})`);
  }
  return conditions.join(' ');
}

/** The faces that wait, whatever their suggestions are. */
function queued(selection: QueueSelection, isSettled: boolean): SelectedFaces {
  const parameters = new Placeholders();
  const conditions = `${AWAITS_REVIEW} ${isSettled ? '' : `AND ${IS_SEEN}`}
    AND d.queued_at <= ${parameters.of(selection.queuedUntil)}
    ${conditionsOf(selection, { table: 'd', id: 'id' }, parameters)}`;
  return statements(parameters, {
    count: `SELECT count(*) AS count FROM detections d WHERE ${conditions}`,
    behind: (after, limit) => `
      SELECT d.id FROM detections d WHERE ${conditions} AND d.id > ${after} ORDER BY d.id LIMIT ${limit}`,
    among: (ids) => `
      SELECT d.id FROM unnest(${ids}) AS given (id)
      CROSS JOIN LATERAL (SELECT * FROM detections WHERE id = given.id LIMIT 1) AS d
      WHERE ${conditions}`,
  });
}

type RuledSelection = QueueSelection & { readonly rule: NonNullable<QueueSelection['rule']> };

/** The faces whose best suggestion is as the selection says. */
function suggested(selection: RuledSelection, isSettled: boolean): SelectedFaces {
  const { rule, identityId, maxSimilarity, queuedUntil } = selection;
  const parameters = new Placeholders();
  const model = parameters.of(rule.modelId);
  const least = parameters.of(leastOf(rule, selection));
  const highest =
    maxSimilarity === undefined ? '' : `AND f.similarity <= ${parameters.of(maxSimilarity)}`;
  const similar = `f.model_id = ${model} AND f.similarity >= ${least} ${highest}
    ${conditionsOf(selection, { table: 'f', id: 'detection_id' }, parameters)}`;
  const checks = isSettled ? '' : `${SEEN_FACE} AND ${hasSuggestion([model, least])}`;
  const waits = `d.id = f.detection_id AND ${AWAITS_REVIEW} AND d.queued_at <= ${parameters.of(queuedUntil)}`;
  // A scalar subquery makes Postgres look up face by face in an index, until a page has enough of them.
  const waitsEach = `coalesce((SELECT true FROM detections d WHERE ${waits} LIMIT 1), false)`;
  const own = identityId === undefined ? null : rowIdsOf(parameters.of(identityId));
  // LATERAL makes the planner begin with the identity, and not with all faces in the order of their ids.
  const rows = (condition: string) =>
    own === null
      ? `suggested_faces f WHERE ${similar} ${condition}`
      : `${own} AS own CROSS JOIN LATERAL (
           SELECT * FROM suggested_faces f
           WHERE f.identity_id = own.id AND ${similar} ${condition} OFFSET 0) AS f WHERE true`;
  const ofIdentity =
    own === null ? '' : `AND f.identity_id = any(array(SELECT id FROM ${own} AS own))`;
  return statements(parameters, {
    count: `
      SELECT count(*) AS count FROM suggested_faces f
      WHERE ${similar} ${ofIdentity} ${checks} AND EXISTS (SELECT FROM detections d WHERE ${waits})`,
    behind: (after, limit) => `
      SELECT f.detection_id AS id FROM (
        SELECT f.* FROM ${rows(`AND f.detection_id > ${after}`)} ORDER BY f.detection_id OFFSET 0
      ) AS f WHERE ${waitsEach} ${checks} LIMIT ${limit}`,
    among: (ids) => `
      SELECT f.detection_id AS id FROM unnest(${ids}) AS given (id)
      CROSS JOIN LATERAL (
        SELECT * FROM suggested_faces WHERE detection_id = given.id AND model_id = ${model} LIMIT 1) AS f
      WHERE ${similar} ${ofIdentity} AND ${waitsEach} ${checks}`,
  });
}

function statements(
  parameters: Placeholders,
  texts: {
    readonly count: string;
    readonly behind: (after: string, limit: string) => string;
    readonly among: (ids: string) => string;
  },
): SelectedFaces {
  const further = (write: (of: Placeholders) => string): Statement => {
    const own = new Placeholders(parameters.values);
    return { text: write(own), values: own.values };
  };
  return {
    count: () => further(() => texts.count),
    behind: (after, limit) =>
      further((of) => texts.behind(of.of(after, 'bigint'), of.of(limit, 'bigint'))),
    among: (ids) => further((of) => texts.among(of.of(ids, 'bigint[]'))),
  };
}
