import { cutClauses, cutOfSource, isBehind, type ListedRows } from '../database/listed-rows.ts';
import { Placeholders } from '../database/placeholders.ts';
import { rowIdsOf } from '../identities/seen-identity.ts';

/** The faces without an identity, newest first. */
export const UNKNOWN_ROWS: ListedRows = {
  direction: 'desc',
  type: 'timestamptz',
  parameters: new Placeholders(),
  behind: (spot, cut) => `
    SELECT d.detected_at AS value, d.id FROM detections d
    WHERE d.type = 'face' AND d.identity_id IS NULL
      AND ${isBehind({ value: 'd.detected_at', id: 'd.id' }, spot, 'desc')}
    ORDER BY d.detected_at DESC, d.id DESC ${cutClauses(cut)}`,
};

/** The detections of an identity, and of each identity that is being merged into it. */
export function galleryRows(identityId: number, order: 'newest' | 'oldest'): ListedRows {
  const parameters = new Placeholders();
  const own = rowIdsOf(parameters.of(identityId));
  const direction = order === 'newest' ? 'desc' : 'asc';
  return {
    direction,
    type: 'timestamptz',
    parameters,
    behind: (spot, cut) => `
      SELECT found.value, found.id FROM ${own} AS own
      CROSS JOIN LATERAL (
        SELECT d.detected_at AS value, d.id FROM detections d
        WHERE d.identity_id = own.id
          AND ${isBehind({ value: 'd.detected_at', id: 'd.id' }, spot, direction)}
        ORDER BY d.detected_at ${direction}, d.id ${direction} ${cutOfSource(cut)}
      ) AS found
      ORDER BY found.value ${direction}, found.id ${direction} ${cutClauses(cut)}`,
  };
}
