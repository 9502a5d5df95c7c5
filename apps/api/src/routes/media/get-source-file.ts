import { getSourceFileContract } from '@sightline/contracts/media/get-source-file-contract';
import { defineRoute } from '../../http/define-route.ts';
import { answerMedia } from '../../media/answer-media.ts';

export const getSourceFileRoute = defineRoute(getSourceFileContract, {
  handler(context, { path, headers, scope, signal }) {
    const readKey = async () => {
      const source = await context.database.withScope(
        scope,
        ({ sources }) => sources.byId(path.id),
        signal,
      );
      return source?.mediaKey;
    };
    return answerMedia(context, { readKey, path, headers, signal });
  },
});
