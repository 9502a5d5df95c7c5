import { detectFacesContract } from '@sightline/contracts/recognition/detect-faces-contract';
import { defineRoute } from '../../http/define-route.ts';
import { IMAGE_UPLOAD } from '../../images/image-upload.ts';
import { runDetection } from './run-detection.ts';

export const detectFacesRoute = defineRoute(detectFacesContract, {
  upload: IMAGE_UPLOAD,
  handler: (context, request) => runDetection(context, request, 'faces'),
});
