import type { MismatchRule } from '@sightline/core/detections/face-lists';
import { Placeholders } from '../database/placeholders.ts';
import { isDeleted, rowIdsOf } from '../identities/seen-identity.ts';
import { identityOf, LISTED } from './face-list-queries.ts';

interface Query {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * A trigger deletes the score of a face that is moved or not confirmed any more, or whose mismatch was dismissed.
 * Without an identity the scores are read in the order of all, otherwise in that of each identity that is being merged.
 */
export function mismatchPage(
  { modelId, below, identityId }: MismatchRule,
  after: { readonly similarity: number; readonly id: number },
  limit: number,
): Query {
  const parameters = new Placeholders();
  const [model, threshold] = [parameters.of(modelId), parameters.of(below)];
  const position = `(${parameters.of(after.similarity)}, ${parameters.of(after.id)})`;
  const most = parameters.of(limit);
  const scores = (condition: string) => `
    SELECT s.detection_id, s.similarity FROM mismatch_scores s
    WHERE s.model_id = ${model} AND s.similarity < ${threshold} AND (s.similarity, s.detection_id) > ${position}
      AND ${condition} AND ${IS_SEEN}
    ORDER BY s.similarity, s.detection_id LIMIT ${most}`;
  const found =
    identityId === undefined
      ? scores('true')
      : `SELECT found.* FROM ${rowIdsOf(parameters.of(identityId))} AS own
         CROSS JOIN LATERAL (${scores('s.identity_id = own.id')}) AS found
         ORDER BY found.similarity, found.detection_id LIMIT ${most}`;
  const text = `
    SELECT ${LISTED}, a.id AS "identityId", a.label, found.similarity
    FROM (${found}) AS found
    JOIN detections d ON d.id = found.detection_id
    CROSS JOIN ${identityOf('d.identity_id')} AS a
    ORDER BY found.similarity, found.detection_id`;
  return { text, values: parameters.values };
}

/** Whether readers see the identity of the face of a score. */
const IS_SEEN = `(
      SELECT true FROM detections d CROSS JOIN ${identityOf('d.identity_id')} AS a WHERE d.id = s.detection_id)`;

/** Faces of an identity that is being deleted have their rows until its last step. */
export function countMismatches({ modelId, below, identityId }: MismatchRule): Query {
  const parameters = new Placeholders();
  const scored = `s.model_id = ${parameters.of(modelId)} AND s.similarity < ${parameters.of(below)}`;
  if (identityId !== undefined) {
    const own = `array(SELECT id FROM ${rowIdsOf(parameters.of(identityId))} AS own)`;
    const text = `SELECT count(*) AS count FROM mismatch_scores s WHERE ${scored} AND s.identity_id = any(${own})`;
    return { text, values: parameters.values };
  }
  const text = `
    SELECT (
      SELECT count(*) FROM mismatch_scores s WHERE ${scored}
    ) - (
      SELECT count(*)
      FROM identities i
      JOIN mismatch_scores s ON s.environment_id = i.environment_id AND s.identity_id = i.id
      WHERE ${isDeleted('i')} AND ${scored}
    ) AS count`;
  return { text, values: parameters.values };
}
