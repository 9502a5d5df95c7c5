import { getSourceFileContract } from '@sightline/contracts/media/get-source-file-contract';
import { defineRoute } from '../../http/define-route.ts';
import { answerMedia } from '../../media/answer-media.ts';
import { scopeOfMedia } from '../../media/scope-of-media.ts';

export const getSourceFileRoute = defineRoute(getSourceFileContract, {
  async handler(context, { path, headers, scope: given, session, signal }) {
    const record = { kind: 'source', id: path.id } as const;
    const scope = await scopeOfMedia(context, { scope: given, session, record }, signal);
    const readKey = async () => {
      const source = await context.database.withScope(
        scope,
        ({ sources }) => sources.byId(path.id),
        signal,
      );
      return source?.mediaKey;
    };
    return answerMedia(context, { readKey, path, headers, isKept: session === undefined, signal });
  },
});
