import { detectAllContract } from '@sightline/contracts/detections/detect-all-contract';
import { IMAGE } from '@sightline/contracts/detections/image-source';
import { detectImage } from '@sightline/core/detections/detect-image';
import type { DetectResult } from '@sightline/core/detections/detect-result';
import { defineRoute } from '../http/define-route.ts';
import { imageReading } from '../images/image-reading.ts';
import { IMAGE_UPLOAD } from '../images/image-upload.ts';
import { findImageSource } from '../images/read-image-source.ts';
import { presentDetectionRun } from './present-detection-run.ts';

export const postDetectAll = defineRoute({
  ...detectAllContract,
  upload: IMAGE_UPLOAD,
  async handler(context, request) {
    const { body, scope, signal } = request;
    const { external_ref: externalRef, replace = false, label } = body.fields;
    const image = await findImageSource(imageReading(context, scope), body, IMAGE)(signal);
    const present = (run: DetectResult) =>
      ({ status: 200, body: presentDetectionRun(run) }) as const;
    const run = await detectImage(
      context,
      { scope, image, types: 'all', externalRef, replace, label },
      { signal, settle: request.settle(present) },
    );
    return present(run);
  },
});
