import { getModelContract } from '@sightline/contracts/models/get-model-contract';
import { NotFound } from '@sightline/core/store/not-found';
import { defineRoute } from '../../http/define-route.ts';
import { presentModel } from './present-model.ts';

export const getModelRoute = defineRoute(getModelContract, {
  async handler({ database }, { path: { id }, scope, signal }) {
    const model = await database.withScope(scope, ({ models }) => models.byId(id), signal);
    if (model === null) throw new NotFound('model', id);
    return { status: 200, body: presentModel(model) };
  },
});
