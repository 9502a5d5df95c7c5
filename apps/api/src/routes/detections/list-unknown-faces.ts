import { listUnknownFacesContract } from '@sightline/contracts/detections/list-unknown-faces-contract';
import type { Detection } from '@sightline/core/detections/detection';
import type { TimePosition } from '@sightline/core/detections/face-lists';
import { presentDetection } from '@sightline/presentation/present-detection';
import { decodeCursor } from '../../http/cursor.ts';
import { defineRoute } from '../../http/define-route.ts';
import { readList } from '../../http/read-list.ts';
import { namedTimeCursor, namedTimeCursorOf } from '../../http/time-cursor.ts';

const Cursor = namedTimeCursor('unknown');

export const listUnknownFacesRoute = defineRoute(listUnknownFacesContract, {
  async handler({ database }, { query, scope, signal }) {
    const body = await readList(
      {
        read: (after: TimePosition | null, limit) =>
          database.withScope(scope, ({ faces }) => faces.unknown({ after, limit }), signal),
        positionOf: (face: Detection): TimePosition => face,
        cursorOf: namedTimeCursorOf('unknown'),
        present: presentDetection,
      },
      { after: decodeCursor(Cursor, query.cursor), limit: query.limit },
    );
    return { status: 200, body };
  },
});
