import { getCropFileContract } from '@sightline/contracts/media/get-crop-file-contract';
import { defineRoute } from '../../http/define-route.ts';
import { answerMedia } from '../../media/answer-media.ts';

export const getCropFileRoute = defineRoute(getCropFileContract, {
  handler(context, { path, headers, scope, signal }) {
    const readKey = async () => {
      const detection = await context.database.withScope(
        scope,
        ({ detections }) => detections.byId(path.id),
        signal,
      );
      return detection?.cropKey;
    };
    return answerMedia(context, { readKey, path, headers, signal });
  },
});
