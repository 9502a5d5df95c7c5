import {
  DEFAULT_TOP_N,
  identifyFacesContract,
} from '@sightline/contracts/recognition/identify-faces-contract';
import { IMAGE } from '@sightline/contracts/recognition/image-source';
import { identifyFaces } from '@sightline/core/recognition/identify-faces';
import { presentFace, presentMatch } from '@sightline/presentation/present-face';
import { presentSuggestion } from '@sightline/presentation/present-suggestion';
import { defineRoute } from '../../http/define-route.ts';
import { imageReading } from '../../images/image-reading.ts';
import { IMAGE_UPLOAD } from '../../images/image-upload.ts';
import { findImageSource } from '../../images/read-image-source.ts';

export const identifyFacesRoute = defineRoute(identifyFacesContract, {
  upload: IMAGE_UPLOAD,
  async handler(context, { query, body, scope, signal }) {
    const threshold = body.fields.threshold ?? query.threshold;
    const topN = body.fields.top_n ?? query.top_n ?? DEFAULT_TOP_N;
    const image = await findImageSource(imageReading(context, scope), body, IMAGE)(signal);
    const result = await identifyFaces(context, { scope, image, threshold, topN }, signal);
    return {
      status: 200,
      body: {
        threshold: result.threshold,
        faces: result.faces.map((identified) => ({
          ...presentFace(identified.face),
          ...presentMatch(identified),
          suggestions: identified.suggestions.map(presentSuggestion),
        })),
      },
    };
  },
});
