import { defineContract, jsonResponse } from '../define-contract.ts';
import { idPath } from '../record-id.ts';
import { Job } from './job.ts';

export const getJobContract = defineContract({
  method: 'GET',
  path: '/api/jobs/{id}',
  right: 'read',
  tag: 'Jobs',
  summary: 'Get a job and its progress',
  request: { path: idPath },
  responses: { 200: jsonResponse('The job.', Job) },
  problems: ['not_found'],
});
