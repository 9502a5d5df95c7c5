import { defineContract, jsonResponse } from '../define-contract.ts';
import { StartedJob } from '../jobs/started-job.ts';
import { idPath } from '../record-id.ts';

export const downloadModelContract = defineContract({
  method: 'POST',
  path: '/api/models/{id}/download',
  right: 'admin',
  idempotent: true,
  tag: 'Models',
  summary: 'Download a model',
  description: [
    'A job downloads the files, checks them and stores them where all processes that run models can get them; its counters are bytes. The first download pins the digest: later ones have to have the same.',
    'Of a downloaded model the job verifies the files, and downloads them again if they are damaged. Of a model that is being downloaded or verified the answer is the job that does so; one that downloads may be of another environment. Once such a job is cancelled, the next request begins another one.',
    'On Kubernetes the cluster fetches what an `InferenceModel` names; this asks for that, and the job follows it.',
  ].join('\n\n'),
  request: { path: idPath },
  responses: { 202: jsonResponse('The job that downloads the model.', StartedJob) },
  problems: ['not_found', 'no_source', 'no_model_store', 'activation_declared', 'too_many_jobs'],
});
