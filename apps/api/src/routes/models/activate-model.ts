import { activateModelContract } from '@sightline/contracts/models/activate-model-contract';
import { requestActivation } from '@sightline/core/activation/request-activation';
import { defineRoute } from '../../http/define-route.ts';

export const activateModelRoute = defineRoute(activateModelContract, {
  async handler(
    { database, activations, modelStore, declarations },
    { path, body, scope, signal },
  ) {
    const request = { scope, modelId: path.id, reembed: body.fields.reembed ?? 'before' };
    const deps = { database, activations, modelStore, declarations };
    const answer = await requestActivation(deps, request, { signal });
    if (answer.kind === 'job') {
      const { jobId, status } = answer;
      return { status: 202, body: { job_id: jobId, status } } as const;
    }
    const { id, name, task } = answer.model;
    const previous_model_id = answer.previousId;
    return { status: 200, body: { id, name, task, active: true, previous_model_id } } as const;
  },
});
