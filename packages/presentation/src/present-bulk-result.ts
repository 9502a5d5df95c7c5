import type { BulkResult } from '@sightline/contracts/recognition/detect-bulk-contract';
import type { ItemFailure, PostedImageInput } from '@sightline/core/jobs/job';
import type { ImageResult } from '@sightline/core/recognition/result/image-result';
import type { z } from 'zod';
import { presentDetectionRun } from './present-detection-run.ts';
import { presentReplaced } from './present-replaced.ts';

type Result = z.input<typeof BulkResult>;

/** The image of a bulk detection to which a result belongs. */
interface BulkItem extends Pick<PostedImageInput, 'name'> {
  readonly index: number;
}

export function presentBulkResult(item: BulkItem, run: ImageResult): Result {
  const { source_image_id, faces, objects } = presentDetectionRun(run);
  const replaced = presentReplaced(run);
  return { ...presentBulkItem(item), source_image_id, faces, objects, ...replaced };
}

export function presentBulkFailure(item: BulkItem, { code, detail }: ItemFailure): Result {
  return { ...presentBulkItem(item), error: { code, detail } };
}

function presentBulkItem({ index, name }: BulkItem) {
  if ('filename' in name) return { index, filename: name.filename };
  return 'imageUrl' in name ? { index, image_url: name.imageUrl } : { index };
}
