import { listModelsContract } from '@sightline/contracts/models/list-models-contract';
import { answerList, byId } from '../../http/answer-list.ts';
import { defineRoute } from '../../http/define-route.ts';
import { presentModel } from './present-model.ts';

export const listModelsRoute = defineRoute(listModelsContract, {
  handler: (context, request) =>
    answerList(context, request, {
      order: byId('models'),
      read: ({ models }, after, limit) => models.list({ after, limit }),
      present: presentModel,
    }),
});
