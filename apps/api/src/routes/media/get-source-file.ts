import { getSourceFileContract } from '@sightline/contracts/media/get-source-file-contract';
import { defineRoute } from '../../http/define-route.ts';
import { answerMedia } from '../../media/answer-media.ts';

export const getSourceFileRoute = defineRoute(getSourceFileContract, {
  async handler(context, { path, headers, scope, signal }) {
    const source = await context.database.withScope(
      scope,
      ({ sources }) => sources.byId(path.id),
      signal,
    );
    return answerMedia(context, { key: source?.mediaKey, path, headers, signal });
  },
});
