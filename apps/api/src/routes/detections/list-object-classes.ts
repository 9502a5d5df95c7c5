import { listObjectClassesContract } from '@sightline/contracts/detections/list-object-classes-contract';
import { storableText } from '@sightline/contracts/text';
import type { ObjectClass } from '@sightline/core/statistics/statistics-store';
import { cropUrl } from '@sightline/presentation/media-url';
import { z } from 'zod';
import { answerList, type ListOrder } from '../../http/answer-list.ts';
import { decodeCursor } from '../../http/cursor.ts';
import { defineRoute } from '../../http/define-route.ts';

/** More than the length of the longest name of a class. */
const MAX_NAME_UNITS = 2000;

const Cursor = z
  .tuple([z.literal('classes'), storableText(MAX_NAME_UNITS)])
  .transform(([, name]) => name);

const BY_NAME: ListOrder<ObjectClass, string> = {
  after: (cursor) => decodeCursor(Cursor, cursor),
  positionOf: ({ name }) => name,
  cursorOf: (name) => ['classes', name],
};

export const listObjectClassesRoute = defineRoute(listObjectClassesContract, {
  handler: (context, request) =>
    answerList(context, request, {
      order: BY_NAME,
      read: ({ statistics }, after, limit) => statistics.classes({ after, limit }),
      present: presentClass,
    }),
});

function presentClass({ name, detectionCount, identityId, thumbnail }: ObjectClass) {
  return {
    class_name: name,
    detection_count: detectionCount,
    identity_id: identityId,
    thumbnail_url: thumbnail && cropUrl(thumbnail.detectionId, thumbnail.cropKey),
  };
}
