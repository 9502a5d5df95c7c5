import { detectObjectsContract } from '@sightline/contracts/detections/detect-objects-contract';
import { defineRoute } from '../http/define-route.ts';
import { IMAGE_UPLOAD } from '../images/image-upload.ts';
import { runDetection } from './run-detection.ts';

export const postDetectObjects = defineRoute({
  ...detectObjectsContract,
  upload: IMAGE_UPLOAD,
  handler: (context, request) => runDetection(context, request, 'objects'),
});
