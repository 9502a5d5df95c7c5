import { IMAGE } from '@sightline/contracts/recognition/image-source';
import { enrollIdentityContract } from '@sightline/contracts/references/enroll-identity-contract';
import { enrollFace } from '@sightline/core/recognition/enroll-face';
import { defineRoute } from '../../http/define-route.ts';
import { imageReading } from '../../images/image-reading.ts';
import { IMAGE_UPLOAD } from '../../images/image-upload.ts';
import { findImageSource } from '../../images/read-image-source.ts';
import { presentEnrollment } from './present-enrollment.ts';

export const enrollIdentityRoute = defineRoute(enrollIdentityContract, {
  upload: IMAGE_UPLOAD,
  async handler(context, request) {
    const { path, body, scope, signal } = request;
    const image = await findImageSource(imageReading(context, scope), body, IMAGE)(signal);
    const enrolled = await enrollFace(
      context,
      { scope, image, target: { identityId: path.id } },
      { signal, settle: request.settle(presentEnrollment) },
    );
    return presentEnrollment(enrolled);
  },
});
