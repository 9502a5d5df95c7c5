import { getCropFileContract } from '@sightline/contracts/media/get-crop-file-contract';
import { defineRoute } from '../../http/define-route.ts';
import { answerMedia } from '../../media/answer-media.ts';

export const getCropFileRoute = defineRoute(getCropFileContract, {
  async handler(context, { path, headers, scope, signal }) {
    const detection = await context.database.withScope(
      scope,
      ({ detections }) => detections.byId(path.id),
      signal,
    );
    return answerMedia(context, { key: detection?.cropKey, path, headers, signal });
  },
});
