import { listRejectedFacesContract } from '@sightline/contracts/identities/list-rejected-faces-contract';
import { requireIdentity } from '@sightline/core/database/require-identity';
import type { GalleryFace, TimePosition } from '@sightline/core/detections/face-lists';
import { decodeCursor } from '../../http/cursor.ts';
import { defineRoute } from '../../http/define-route.ts';
import { readList } from '../../http/read-list.ts';
import { namedTimeCursor, namedTimeCursorOf } from '../../http/time-cursor.ts';
import { presentGalleryItem } from './present-gallery-item.ts';

const Cursor = namedTimeCursor('rejected');

export const listRejectedFacesRoute = defineRoute(listRejectedFacesContract, {
  async handler({ database, parts }, { path: { id }, query, scope, signal }) {
    const after = decodeCursor(Cursor, query.cursor);
    await requireIdentity(database, { scope, id }, signal);
    const body = await readList(
      {
        read: (after: TimePosition | null, limit) =>
          database.withScope(scope, ({ faces }) => faces.rejected(id, { after, limit }), signal),
        positionOf: (face: GalleryFace): TimePosition => face,
        cursorOf: namedTimeCursorOf('rejected'),
        present: presentGalleryItem,
      },
      { after, limit: query.limit, inTurn: (read) => parts.run(scope, read, signal) },
    );
    return { status: 200, body };
  },
});
