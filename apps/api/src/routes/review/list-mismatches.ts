import {
  listMismatchesContract,
  type Mismatch as MismatchAnswer,
} from '@sightline/contracts/review/list-mismatches-contract';
import type { Mismatch, MismatchPosition } from '@sightline/core/detections/face-lists';
import { findMismatches } from '@sightline/core/similarity/find-mismatches';
import { z } from 'zod';
import { decodeCursor } from '../../http/cursor.ts';
import { defineRoute } from '../../http/define-route.ts';
import { presentPage } from '../../http/read-list.ts';
import { presentCurrentIdentity, presentReviewedFace } from './present-reviewed-face.ts';

const Cursor = z
  .tuple([z.number(), z.int()])
  .transform(([similarity, id]): MismatchPosition => ({ similarity, id }));

export const listMismatchesRoute = defineRoute(listMismatchesContract, {
  async handler({ database, modelStore }, { query, scope, signal }) {
    const { threshold, identity_id: identityId, cursor, limit } = query;
    const request = { scope, threshold, identityId, after: decodeCursor(Cursor, cursor), limit };
    const found = await findMismatches({ database, models: modelStore }, request, signal);
    const page = presentPage(
      {
        positionOf: (face: Mismatch): MismatchPosition => face,
        cursorOf: ({ similarity, id }) => [similarity, id],
        present: presentMismatch,
      },
      found,
    );
    const { count, asOf } = found;
    return {
      status: 200,
      body: { ...page, count, threshold: found.threshold, as_of: asOf?.toISOString() ?? null },
    };
  },
});

function presentMismatch(face: Mismatch): z.input<typeof MismatchAnswer> {
  return {
    ...presentReviewedFace(face),
    current_identity: presentCurrentIdentity(face.identity),
    similarity: face.similarity,
  };
}
