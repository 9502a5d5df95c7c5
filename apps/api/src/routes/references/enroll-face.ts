import { IMAGE } from '@sightline/contracts/recognition/image-source';
import { enrollFaceContract } from '@sightline/contracts/references/enroll-face-contract';
import { enrollFace } from '@sightline/core/recognition/enroll-face';
import { defineRoute } from '../../http/define-route.ts';
import { imageReading } from '../../images/image-reading.ts';
import { IMAGE_UPLOAD } from '../../images/image-upload.ts';
import { findImageSource } from '../../images/read-image-source.ts';
import { presentEnrollment } from './present-enrollment.ts';

export const enrollFaceRoute = defineRoute(enrollFaceContract, {
  upload: IMAGE_UPLOAD,
  async handler(context, request) {
    const { body, scope, signal } = request;
    const { name: label, external_ref: externalRef } = body.fields;
    const image = await findImageSource(imageReading(context, scope), body, IMAGE)(signal);
    const enrolled = await enrollFace(
      context,
      { scope, image, target: { label }, externalRef },
      { signal, settle: request.settle(presentEnrollment) },
    );
    return presentEnrollment(enrolled);
  },
});
