import { defineContract, jsonResponse } from '../define-contract.ts';
import { idPath } from '../record-id.ts';
import { StartedBatch } from './started-job.ts';

export const retryJobContract = defineContract({
  method: 'POST',
  path: '/api/jobs/{id}/retry',
  right: 'full',
  idempotent: true,
  tag: 'Jobs',
  summary: 'Retry the failed items of a job that has ended',
  description: [
    'A new job with the same options works through the items that failed. The ended job stays as it is. Jobs of the types `bulk_detect`, `reprocess`, `export` and `import` can be retried while their results are kept, for seven days.',
    'An item is left out if its uploaded file no longer exists: that of an item that was cancelled before it began, or that of an item that was already retried. The user name and password of an image URL are not kept beyond the end of its item.',
  ].join('\n\n'),
  request: { path: idPath },
  responses: { 202: jsonResponse('The new job.', StartedBatch) },
  problems: ['not_found', 'job_unfinished', 'nothing_to_retry', 'too_many_jobs'],
});
