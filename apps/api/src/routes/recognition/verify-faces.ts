import { FIRST_IMAGE, SECOND_IMAGE } from '@sightline/contracts/recognition/image-source';
import { verifyFacesContract } from '@sightline/contracts/recognition/verify-faces-contract';
import { allOrAbort } from '@sightline/core/concurrency/all-or-abort';
import { type VerifiedFace, verifyFaces } from '@sightline/core/recognition/verify-faces';
import { ofImage } from '@sightline/core/sources/image-errors';
import { presentFace } from '@sightline/presentation/present-face';
import { defineRoute } from '../../http/define-route.ts';
import { imageReading } from '../../images/image-reading.ts';
import { IMAGE_UPLOAD } from '../../images/image-upload.ts';
import { findImageSource } from '../../images/read-image-source.ts';

export const verifyFacesRoute = defineRoute(verifyFacesContract, {
  upload: IMAGE_UPLOAD,
  async handler(context, { query, body, scope, signal }) {
    const threshold = body.fields.threshold ?? query.threshold;
    // Both sources are found before an image is read, so that an invalid request fetches no URL.
    const reading = imageReading(context, scope);
    const sources = [FIRST_IMAGE, SECOND_IMAGE].map((names) =>
      findImageSource(reading, body, names),
    );
    const reads = sources.map(
      (read, index) => (either: AbortSignal) => ofImage(index + 1, () => read(either)),
    );
    const [first, second] = await allOrAbort(reads, signal);
    const result = await verifyFaces(
      context,
      { scope, images: [first!, second!], ...(threshold !== undefined && { threshold }) },
      signal,
    );
    const { similarity, match, faces } = result;
    return {
      status: 200,
      body: {
        similarity,
        match,
        threshold: result.threshold,
        face1: presentVerified(faces[0]),
        face2: presentVerified(faces[1]),
      },
    };
  },
});

function presentVerified({ face, count }: VerifiedFace) {
  return { ...presentFace(face), count };
}
