import { getCropFileContract } from '@sightline/contracts/media/get-crop-file-contract';
import { defineRoute } from '../../http/define-route.ts';
import { answerMedia } from '../../media/answer-media.ts';
import { scopeOfMedia } from '../../media/scope-of-media.ts';

export const getCropFileRoute = defineRoute(getCropFileContract, {
  async handler(context, { path, query, headers, scope: given, session, signal }) {
    const record = { kind: 'detection', id: path.id } as const;
    const scope = await scopeOfMedia(context, { scope: given, session, record }, signal);
    const readKey = async () => {
      const detection = await context.database.withScope(
        scope,
        ({ detections }) => detections.byId(path.id),
        signal,
      );
      return detection?.cropKey;
    };
    const isKept = session === undefined;
    const rendition = query.w === undefined ? null : { scope, subject: record, width: query.w };
    return answerMedia(context, { readKey, path, headers, isKept, rendition, signal });
  },
});
