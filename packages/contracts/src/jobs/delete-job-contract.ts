import { defineContract, emptyResponse } from '../define-contract.ts';
import { idPath } from '../record-id.ts';

export const deleteJobContract = defineContract({
  method: 'DELETE',
  path: '/api/jobs/{id}',
  right: 'full',
  tag: 'Jobs',
  summary: 'Delete a job that has ended, with its results',
  description:
    'Detections and records that the job has stored stay. To stop a job that has not ended, cancel it.',
  request: { path: idPath },
  responses: { 204: emptyResponse('The job was deleted.') },
  problems: ['not_found', 'job_unfinished'],
});
