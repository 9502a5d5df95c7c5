import { detectObjectsContract } from '@sightline/contracts/recognition/detect-objects-contract';
import { defineRoute } from '../../http/define-route.ts';
import { IMAGE_UPLOAD } from '../../images/image-upload.ts';
import { runDetection } from './run-detection.ts';

export const detectObjectsRoute = defineRoute(detectObjectsContract, {
  upload: IMAGE_UPLOAD,
  handler: (context, request) => runDetection(context, request, 'objects'),
});
