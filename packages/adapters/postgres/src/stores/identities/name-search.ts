import type { DetectionType } from '@sightline/core/detection-type';
import type { NameSearch } from '@sightline/core/identities/name-search';
import { rowIdArrayOf } from './seen-identity.ts';
import type { ReadContext } from '../database/store-context.ts';
import { thumbnailOf, type ThumbnailRow, toThumbnail } from './thumbnail.ts';

interface FoundRow extends ThumbnailRow {
  readonly identityId: number;
  readonly type: DetectionType;
  readonly label: string;
  readonly similarity: number;
}

/** Parameters: the text, the type or null, and the limit. */
const FIND = `
  SELECT i.id AS "identityId", i.type, i.label, found.similarity, thumbnail.*
  FROM names_found($1, $2, $3) WITH ORDINALITY AS found (identity_id, similarity, place)
  JOIN identities i ON i.id = found.identity_id
  ${thumbnailOf('i.cover_detection_id', rowIdArrayOf('i.id'))}
  ORDER BY found.place`;

export function nameSearch(context: ReadContext): NameSearch {
  return {
    async find({ text, type, limit }) {
      const rows = await context.session.query<FoundRow>(FIND, [text, type ?? null, limit]);
      return rows.map(({ thumbnailId, cropKey, ...found }) => ({
        ...found,
        thumbnail: toThumbnail({ thumbnailId, cropKey }),
      }));
    },
  };
}
