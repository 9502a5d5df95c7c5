import { IMAGE } from '@sightline/contracts/recognition/image-source';
import { testImageContract } from '@sightline/contracts/recognition/test-image-contract';
import { testImage } from '@sightline/core/recognition/test-image';
import { defineRoute } from '../../http/define-route.ts';
import { imageReading } from '../../images/image-reading.ts';
import { IMAGE_UPLOAD } from '../../images/image-upload.ts';
import { findImageSource } from '../../images/read-image-source.ts';
import { presentImageTest } from './present-image-test.ts';

export const testImageRoute = defineRoute(testImageContract, {
  upload: IMAGE_UPLOAD,
  async handler(context, { query, body, scope, signal }) {
    const types = body.fields.type ?? query.type ?? 'all';
    const image = await findImageSource(imageReading(context, scope), body, IMAGE)(signal);
    const result = await testImage(context, { scope, image, types }, signal);
    return { status: 200, body: presentImageTest(result) };
  },
});
