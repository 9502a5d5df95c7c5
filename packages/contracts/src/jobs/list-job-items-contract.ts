import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { page, pageOf } from '../pagination.ts';
import { idPath } from '../record-id.ts';
import { timestamp } from '../timestamp.ts';

const itemStatus = z.enum(['pending', 'running', 'done', 'failed']);

export const JobItem = z
  .object({
    index: z.int().min(0).describe('Position of the item in the job.'),
    status: itemStatus,
    name: z
      .string()
      .nullable()
      .describe('File name or URL of a posted image; null if the item has none.'),
    source_image_id: z
      .int()
      .nullable()
      .describe('The source image of the item; null for a posted image that is not stored.'),
    code: z
      .string()
      .nullable()
      .describe('Why the item failed, one of the codes of problem documents; null otherwise.'),
    detail: z
      .string()
      .nullable()
      .describe('The reason as a sentence; null unless the item failed.'),
    measured: z
      .object({ faces: z.int().min(0), objects: z.int().min(0) })
      .nullable()
      .describe(
        'Numbers of faces and objects that were found; null if the item has no such result.',
      ),
    finished_at: timestamp.nullable().describe('Null while the item is unfinished.'),
  })
  .meta({
    id: 'JobItem',
    description: 'One image of a job, or the whole work of a job without images.',
  });

export const JobItems = pageOf(JobItem).meta({ id: 'JobItems' });

export const listJobItemsContract = defineContract({
  method: 'GET',
  path: '/api/jobs/{id}/items',
  right: 'read',
  tag: 'Jobs',
  summary: 'List the items of a job',
  description:
    'The list is available while the job runs, and for seven days after its end. The items of `reembed` are created while it runs and deleted at its end.',
  request: {
    path: idPath,
    query: z.object({
      status: itemStatus.optional().describe('Items with this status. Default: all.'),
      ...page,
    }),
  },
  responses: { 200: jsonResponse('The items in the order of the job.', JobItems) },
  problems: ['not_found'],
});
