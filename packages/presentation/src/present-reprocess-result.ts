import type { ReprocessResult } from '@sightline/contracts/recognition/reprocess-images-contract';
import type { ItemFailure, StoredImageInput } from '@sightline/core/jobs/job';
import type { ImageResult } from '@sightline/core/recognition/result/image-result';
import type { z } from 'zod';
import { presentDetectionRun } from './present-detection-run.ts';
import { presentReplaced } from './present-replaced.ts';

type Result = z.input<typeof ReprocessResult>;

/** The reprocessed image to which a result belongs. */
interface ReprocessItem extends StoredImageInput {
  /** The index of the image among the distinct ids of the request. */
  readonly index: number;
}

export function presentReprocessResult(item: ReprocessItem, run: ImageResult): Result {
  const { faces, objects } = presentDetectionRun(run);
  return { ...presentReprocessItem(item), faces, objects, ...presentReplaced(run) };
}

export function presentReprocessFailure(
  item: ReprocessItem,
  { code, detail }: ItemFailure,
): Result {
  return { ...presentReprocessItem(item), error: { code, detail } };
}

function presentReprocessItem({ index, sourceImageId }: ReprocessItem) {
  return { index, source_image_id: sourceImageId };
}
