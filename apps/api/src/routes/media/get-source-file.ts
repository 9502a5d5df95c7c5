import { getSourceFileContract } from '@sightline/contracts/media/get-source-file-contract';
import { defineRoute } from '../../http/define-route.ts';
import { answerMedia } from '../../media/answer-media.ts';
import { scopeOfMedia } from '../../media/scope-of-media.ts';

export const getSourceFileRoute = defineRoute(getSourceFileContract, {
  async handler(context, { path, query, headers, scope: given, session, signal }) {
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
    const isKept = session === undefined;
    const rendition = query.w === undefined ? null : { scope, subject: record, width: query.w };
    return answerMedia(context, { readKey, path, headers, isKept, rendition, signal });
  },
});
