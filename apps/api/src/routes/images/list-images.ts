import { listImagesContract, type Images } from '@sightline/contracts/images/list-images-contract';
import type { CountedSource } from '@sightline/core/sources/source-image';
import { sourceUrl } from '@sightline/presentation/media-url';
import type { z } from 'zod';
import { answerList } from '../../http/answer-list.ts';
import { defineRoute } from '../../http/define-route.ts';
import { orderBy } from './image-order.ts';
import { toSourceFilter } from './to-source-filter.ts';

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

export function presentImage(source: CountedSource): z.input<typeof Images>['items'][number] {
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
