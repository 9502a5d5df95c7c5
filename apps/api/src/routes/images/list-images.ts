import type { imageSort } from '@sightline/contracts/images/image-filter';
import { listImagesContract, type Images } from '@sightline/contracts/images/list-images-contract';
import { FIRST_TIME, LAST_TIME } from '@sightline/contracts/timestamp';
import type { CountedSource } from '@sightline/core/sources/source-image';
import type { SourcePosition } from '@sightline/core/sources/source-store';
import { sourceUrl } from '@sightline/presentation/media-url';
import { z } from 'zod';
import { decodeCursor } from '../../http/cursor.ts';
import { defineRoute } from '../../http/define-route.ts';
import { readList } from '../../http/read-list.ts';
import { toSourceFilter } from './to-source-filter.ts';

type Sort = z.output<typeof imageSort>;

const instant = z.int().min(FIRST_TIME).max(LAST_TIME);

/** A cursor of the list in this order. */
const cursorOf = (sort: Sort) =>
  z
    .tuple([z.literal(sort), instant, z.int32(), z.int()])
    .transform(([, uploadedAt, detectionCount, id]): SourcePosition => ({
      uploadedAt: new Date(uploadedAt),
      detectionCount,
      id,
    }));

export const listImagesRoute = defineRoute(listImagesContract, {
  async handler({ database }, { query, scope, signal }) {
    const { sort: order, cursor, limit: count } = query;
    const filter = toSourceFilter(query);
    const body = await readList(
      {
        read: (after: SourcePosition | null, limit) =>
          database.withScope(
            scope,
            ({ sources }) => sources.list(filter, { order, after, limit }),
            signal,
          ),
        positionOf: (source: CountedSource): SourcePosition => source,
        cursorOf: ({ uploadedAt, detectionCount, id }) => [
          order,
          uploadedAt.getTime(),
          detectionCount,
          id,
        ],
        present: presentImage,
      },
      { after: decodeCursor(cursorOf(order), cursor), limit: count },
    );
    return { status: 200, body };
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
    detection_count: source.detectionCount,
    source_image_url: sourceUrl(source.id, source.mediaKey),
  };
}
