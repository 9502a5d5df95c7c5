import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { optionalPage, pageOf } from '../pagination.ts';
import { Job, jobStatus, jobType } from './job.ts';

export const Jobs = pageOf(Job).meta({ id: 'Jobs' });

export const listJobsContract = defineContract({
  method: 'GET',
  path: '/api/jobs',
  right: 'read',
  tag: 'Jobs',
  summary: 'List jobs, newest first',
  request: {
    query: z.object({
      type: jobType.optional().describe('Jobs of this type.'),
      status: jobStatus.optional().describe('Jobs with this status.'),
      ...optionalPage,
    }),
  },
  responses: { 200: jsonResponse('The jobs.', Jobs) },
  problems: [],
});
