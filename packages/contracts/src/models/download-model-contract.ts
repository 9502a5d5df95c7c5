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
    'A job downloads the files, checks them and stores them where all processes that run models can read them; its counters are bytes. The first download pins the digest, which later downloads must match.',
    'If the model is downloaded already, the job verifies the files and downloads damaged ones again. If a job is downloading or verifying the model already, the answer is that job; a job that downloads may belong to another environment. After such a job was cancelled, the next request starts another one.',
    'On Kubernetes the operator fetches the source that an `InferenceModel` names; this endpoint requests the fetch, and the job reports its progress.',
  ].join('\n\n'),
  request: { path: idPath },
  responses: { 202: jsonResponse('The job that downloads the model.', StartedJob) },
  problems: ['not_found', 'no_source', 'no_model_store', 'activation_declared', 'too_many_jobs'],
});
