import { listGalleryContract } from '@sightline/contracts/identities/list-gallery-contract';
import { requireIdentity } from '@sightline/core/database/require-identity';
import type { GalleryFace, TimePosition } from '@sightline/core/detections/face-lists';
import { readCursor } from '../../http/cursor.ts';
import { defineRoute } from '../../http/define-route.ts';
import { readList } from '../../http/read-list.ts';
import { TimeCursor, timeCursorOf } from '../../http/time-cursor.ts';
import { presentGalleryItem } from './present-gallery-item.ts';

export const listGalleryRoute = defineRoute(listGalleryContract, {
  async handler({ database }, { path: { id }, query, scope, signal }) {
    const after = readCursor(TimeCursor, query.cursor);
    await requireIdentity(database, { scope, id }, signal);
    const body = await readList(
      {
        read: (after: TimePosition | null, limit) =>
          database.withScope(
            scope,
            ({ faces }) => faces.gallery(id, query.sort ?? 'newest', { after, limit }),
            signal,
          ),
        positionOf: (face: GalleryFace): TimePosition => face,
        cursorOf: timeCursorOf,
        present: presentGalleryItem,
      },
      { after, limit: query.limit },
    );
    return { status: 200, body };
  },
});
