import type { ReprocessResult } from '@sightline/contracts/recognition/reprocess-images-contract';
import type { ItemFailure, StoredImageInput } from '@sightline/core/jobs/job';
import type { ImageResult } from '@sightline/core/recognition/result/image-result';
import type { z } from 'zod';
import { presentDetectionRun } from './present-detection-run.ts';

type Result = z.input<typeof ReprocessResult>;

/** One of several images that are reprocessed. */
interface ReprocessItem extends StoredImageInput {
  /** The index of the image among the distinct ids of the request. */
  readonly index: number;
}

/** How answers show what was found in one of several images. */
export function presentReprocessResult(item: ReprocessItem, run: ImageResult): Result {
  const { faces, objects } = presentDetectionRun(run);
  return { ...presentReprocessItem(item), faces, objects };
}

/** How answers show that one of several images failed. */
export function presentReprocessFailure(
  item: ReprocessItem,
  { code, detail }: ItemFailure,
): Result {
  return { ...presentReprocessItem(item), error: { code, detail } };
}

function presentReprocessItem({ index, sourceImageId }: ReprocessItem) {
  return { index, source_image_id: sourceImageId };
}
