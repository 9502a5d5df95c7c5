import type { imageSort } from '@sightline/contracts/images/image-filter';
import { listImagesContract, type Images } from '@sightline/contracts/images/list-images-contract';
import { FIRST_TIME, LAST_TIME } from '@sightline/contracts/timestamp';
import type { CountedSource } from '@sightline/core/sources/source-image';
import type { SourcePosition } from '@sightline/core/sources/source-store';
import { sourceUrl } from '@sightline/presentation/media-url';
import { z } from 'zod';
import { answerList, type ListOrder } from '../../http/answer-list.ts';
import { decodeCursor } from '../../http/cursor.ts';
import { defineRoute } from '../../http/define-route.ts';
import { toSourceFilter } from './to-source-filter.ts';

type Sort = z.output<typeof imageSort>;

const instant = z.int().min(FIRST_TIME).max(LAST_TIME);

const orderBy = (sort: Sort): ListOrder<SourcePosition, SourcePosition> =>
  sort === 'taken' ? BY_TIME_TAKEN : byUpload(sort);

const byUpload = (sort: Sort): ListOrder<SourcePosition, SourcePosition> => {
  const Cursor = z
    .tuple([z.literal(sort), instant, z.int32(), z.int()])
    .transform(([, uploadedAt, detectionCount, id]): SourcePosition => ({
      uploadedAt: new Date(uploadedAt),
      detectionCount,
      takenAt: null,
      id,
    }));
  return {
    after: (cursor) => decodeCursor(Cursor, cursor),
    positionOf: (source) => source,
    cursorOf: ({ uploadedAt, detectionCount, id }) => [
      sort,
      uploadedAt.getTime(),
      detectionCount,
      id,
    ],
  };
};

const TakenCursor = z
  .tuple([z.literal('taken'), instant.nullable(), z.int()])
  .transform(([, takenAt, id]): SourcePosition => ({
    uploadedAt: new Date(0),
    detectionCount: 0,
    takenAt: takenAt === null ? null : new Date(takenAt),
    id,
  }));

const BY_TIME_TAKEN: ListOrder<SourcePosition, SourcePosition> = {
  after: (cursor) => decodeCursor(TakenCursor, cursor),
  positionOf: (source) => source,
  cursorOf: ({ takenAt, id }) => ['taken', takenAt?.getTime() ?? null, id],
};

export const listImagesRoute = defineRoute(listImagesContract, {
  handler(context, request) {
    const { query } = request;
    const filter = toSourceFilter(query);
    return answerList(context, request, {
      order: orderBy(query.sort),
      read: ({ sources }, after, limit) =>
        sources.list(filter, { order: query.sort, after, limit }),
      present: presentImage,
    });
  },
});

function presentImage(source: CountedSource): z.input<typeof Images>['items'][number] {
  return {
    id: source.id,
    external_ref: source.externalRef,
    file_path: source.mediaKey,
    width: source.width,
    height: source.height,
    uploaded_at: source.uploadedAt.toISOString(),
    taken_at: source.takenAt?.toISOString() ?? null,
    detection_count: source.detectionCount,
    source_image_url: sourceUrl(source.id, source.mediaKey),
  };
}
