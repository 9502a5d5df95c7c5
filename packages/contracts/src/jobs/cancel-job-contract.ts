import { defineContract, jsonResponse } from '../define-contract.ts';
import { idPath } from '../record-id.ts';
import { Job } from './job.ts';

export const cancelJobContract = defineContract({
  method: 'POST',
  path: '/api/jobs/{id}/cancel',
  right: 'full',
  idempotent: true,
  tag: 'Jobs',
  summary: 'Cancel a job',
  description:
    'The job finishes the images in progress and then ends. The remaining images fail with the code `cancelled`. An export, an import, and the download or activation of a model stop within seconds. The records that an import has already stored stay.',
  request: { path: idPath },
  responses: { 200: jsonResponse('The job.', Job) },
  problems: ['not_found', 'job_finished'],
});
