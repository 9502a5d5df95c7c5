import { z } from 'zod';
import { defineContract, jsonBody, jsonResponse } from '../define-contract.ts';
import { StartedJob } from '../jobs/started-job.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { idPath } from '../record-id.ts';
import { ActivatedModel } from './activated-model.ts';
import { reembed } from './reembed.ts';

export const activateModelContract = defineContract({
  method: 'PUT',
  path: '/api/models/{id}/activate',
  right: 'admin',
  tag: 'Models',
  summary: 'Make a model the active one of its task',
  description: [
    'All processes load the model beside the active one, a job computes its embeddings of enrolled faces, and then all processes switch in one step. A request in progress completes with the model with which it began. If a process cannot load the model, the previous model stays active everywhere.',
    'If these steps take more than ten seconds, the response is a job, which ends with the switch. With `reembed` set to `after`, the switch comes first, and requests that need matching fail with `vectors_unavailable` until all enrolled faces have their embeddings. The service computes the embeddings of all other faces in the background.',
    "On Kubernetes the service sets the requested model in the task's `InferenceRoute`. If another field manager owns that field, the request fails with `activation_declared`.",
    'A switch back to a previous model computes embeddings only for the faces that were added since that model was active.',
  ].join('\n\n'),
  request: {
    path: idPath,
    body: jsonBody(z.object({ reembed })),
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
