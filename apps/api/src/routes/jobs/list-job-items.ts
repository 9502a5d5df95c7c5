import {
  type JobItem,
  listJobItemsContract,
} from '@sightline/contracts/jobs/list-job-items-contract';
import type { ItemFailure, JobType } from '@sightline/core/jobs/job';
import type { ListedItem } from '@sightline/core/jobs/job-item';
import { z } from 'zod';
import { answerList, type ListOrder } from '../../http/answer-list.ts';
import { decodeCursor } from '../../http/cursor.ts';
import { defineRoute } from '../../http/define-route.ts';
import { requireJob } from './require-job.ts';

export const listJobItemsRoute = defineRoute(listJobItemsContract, {
  async handler(context, request) {
    const { path, query, scope, signal } = request;
    const { id, type } = await requireJob(context, { scope, id: path.id }, signal);
    return answerList(context, request, {
      order: byIndex(id),
      read: ({ jobs }, after, limit) =>
        jobs.items(id, { state: query.status, after: after ?? -1, limit }),
      present: (item) => presentItem(type, item),
    });
  },
});

function byIndex(jobId: number): ListOrder<ListedItem, number> {
  const Cursor = z
    .tuple([z.literal('items'), z.literal(jobId), z.int32()])
    .transform(([, , index]) => index);
  return {
    after: (cursor) => decodeCursor(Cursor, cursor),
    positionOf: ({ index }) => index,
    cursorOf: (index) => ['items', jobId, index],
  };
}

/** The members of inputs and results of items that are images; other items have none of them. */
interface Image {
  readonly name?: { readonly filename?: string | null; readonly imageUrl?: string };
  readonly sourceImageId?: number;
}
interface ImageResult {
  readonly source_image_id?: number;
  readonly faces?: readonly unknown[];
  readonly objects?: readonly unknown[];
}

function presentItem(type: JobType, item: ListedItem): z.input<typeof JobItem> {
  const { index, state, error, finishedAt } = item;
  const { name, sourceImageId } = item.input as Image;
  const result = item.result as ImageResult | null;
  return {
    index,
    status: state,
    name: nameOf(name),
    source_image_id: sourceImageId ?? result?.source_image_id ?? null,
    ...presentError(error),
    measured: FINDS.has(type) && result !== null ? measuredIn(result) : null,
    finished_at: finishedAt?.toISOString() ?? null,
  };
}

function nameOf({ filename, imageUrl }: NonNullable<Image['name']> = {}): string | null {
  return filename ?? imageUrl ?? null;
}

function presentError(error: ItemFailure | null) {
  return error === null ? { code: null, detail: null } : { code: error.code, detail: error.detail };
}

/** The types whose results list the faces and objects of an image. */
const FINDS: ReadonlySet<JobType> = new Set(['bulk_detect', 'reprocess']);

function measuredIn({ faces = [], objects = [] }: ImageResult) {
  return { faces: faces.length, objects: objects.length };
}
