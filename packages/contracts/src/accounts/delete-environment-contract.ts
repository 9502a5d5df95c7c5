import { defineContract, jsonResponse } from '../define-contract.ts';
import { StartedJob } from '../jobs/started-job.ts';
import { idPath } from '../record-id.ts';

export const deleteEnvironmentContract = defineContract({
  method: 'DELETE',
  path: '/api/account/environments/{id}',
  right: 'account',
  tag: 'Accounts',
  summary: 'Delete an environment with all its data',
  description:
    'Only owners of the environment may delete it, and an account keeps one that it owns. The deletion cannot be cancelled. ' +
    'Every process refuses the keys of the environment, and does not find it for sessions, within five seconds. Nothing can ' +
    'be stored in it any more, and its webhooks get no more events. The data is deleted in the background; ' +
    '`GET /api/account/environments/{id}` shows the progress. `job_id` is for reference, it is not the id of a job.',
  request: { path: idPath },
  responses: { 202: jsonResponse('The deletion has begun.', StartedJob) },
  problems: ['not_found', 'forbidden', 'last_environment'],
});
