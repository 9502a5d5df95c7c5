import { z } from 'zod';
import { defineContract, jsonBody, jsonResponse } from '../define-contract.ts';
import { StartedJob } from '../jobs/started-job.ts';
import { JSON_PROBLEMS } from '../problem.ts';
import { idPath } from '../record-id.ts';
import { ActivatedModel } from './activated-model.ts';

export const activateModelContract = defineContract({
  method: 'PUT',
  path: '/api/models/{id}/activate',
  right: 'admin',
  tag: 'Models',
  summary: 'Make a model the active one of its task',
  description: [
    'All processes load the model beside the one that answers, enrolled faces get its embeddings, and then all processes switch in one step. Requests that have begun end with the model that they began with. If one process cannot load it, the previous one stays active everywhere.',
    'If that takes more than ten seconds the answer is a job, at whose end the switch is. With `reembed` `after` the switch comes first, and matching answers `vectors_unavailable` until enrolled faces have their embeddings. All other faces get theirs in the background.',
    'On Kubernetes this writes the wish into the `InferenceRoute` of the task. Where another hand has the last word on it, the answer is `activation_declared`.',
    'Going back to a former model needs only the embeddings of faces that came since.',
  ].join('\n\n'),
  request: {
    path: idPath,
    body: jsonBody(
      z.object({
        reembed: z
          .enum(['before', 'after'])
          .optional()
          .describe('When enrolled faces get embeddings of the model. Default: `before`.'),
      }),
    ),
  },
  responses: {
    200: jsonResponse('The model is active.', ActivatedModel),
    202: jsonResponse('The job that activates the model.', StartedJob),
  },
  problems: [
    ...JSON_PROBLEMS,
    'not_found',
    'model_not_downloaded',
    'in_progress',
    'activation_declared',
    'too_many_jobs',
    'model_load_failed',
  ],
});
