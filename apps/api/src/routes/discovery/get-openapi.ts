import { getOpenapiContract } from '@sightline/contracts/discovery/get-openapi-contract';
import { defineRoute } from '../../http/define-route.ts';
import { answerDocument } from '../../http/answer-document.ts';

export const getOpenapiRoute = defineRoute(getOpenapiContract, {
  handler: async ({ openApi }, { headers }) => answerDocument(await openApi(), headers),
});
