import { detectAllContract } from '@sightline/contracts/recognition/detect-all-contract';
import { defineRoute } from '../../http/define-route.ts';
import { IMAGE_UPLOAD } from '../../images/image-upload.ts';
import { runDetection } from './run-detection.ts';

export const detectAllRoute = defineRoute(detectAllContract, {
  upload: IMAGE_UPLOAD,
  handler: (context, request) => runDetection(context, request, 'all'),
});
