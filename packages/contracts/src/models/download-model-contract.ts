import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { flag } from '../flag.ts';
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
    'A job downloads the files, verifies them, and stores them where all processes that run models can read them. The counters of the job are bytes. The first download pins the digest, and later downloads must match the pinned digest.',
    'If the model is downloaded already, the job verifies the files and downloads damaged ones again. If a job is already downloading or verifying the model, the response is that job; a downloading job may belong to another environment. After a job was cancelled, the next request starts another job.',
    'On Kubernetes the operator fetches the source that an `InferenceModel` names; this endpoint requests the fetch, and the job reports the progress.',
  ].join('\n\n'),
  request: {
    path: idPath,
    query: z.object({
      accept_license: flag
        .optional()
        .describe(
          'Whether the caller states that they accept the license of the model. The audit then has the name of the license. Default: false.',
        ),
    }),
  },
  responses: { 202: jsonResponse('The job that downloads the model.', StartedJob) },
  problems: ['not_found', 'no_source', 'no_model_store', 'activation_declared', 'too_many_jobs'],
});
