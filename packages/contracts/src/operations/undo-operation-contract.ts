import { z } from 'zod';
import { defineContract, jsonBody, jsonResponse } from '../define-contract.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { asynchronous, StartedBatch } from '../jobs/started-job.ts';
import { idPath, MAX_IDS } from '../record-id.ts';

export const UndoneOperation = z
  .object({
    operation_id: z
      .int()
      .nullable()
      .describe('Id of the operation that the undo is; null if nothing was taken back.'),
    undone: z.int().describe('Number of records that are as before.'),
    skipped: z.array(
      z.object({
        detection_id: z.int().optional(),
        identity_id: z.int().optional(),
        image_id: z.int().optional(),
        code: z
          .enum(['changed_since', 'not_found'])
          .describe(
            '`changed_since`: the record was changed again. `not_found`: it was deleted with `purge`, or its identity was deleted.',
          ),
      }),
    ),
  })
  .meta({ id: 'UndoneOperation' });

export const undoOperationContract = defineContract({
  method: 'POST',
  path: '/api/operations/{id}/undo',
  right: 'review',
  operation: 'undo',
  idempotent: true,
  tag: 'Operations',
  summary: 'Take an operation back',
  description: `Each record that is still as the operation left it gets its previous values; the others are skipped. Deleted records return with their ids, and what the operation created disappears unless it was used since. The undo is an operation, too, so it can be taken back. A second undo changes nothing. Callers with the right \`review\` may take back their own operations, those with \`full\` every one. The previous values are kept for the number of days of the setting \`curation.undo_days\`. An operation with more than ${MAX_IDS} records needs \`async\`: a job takes it back. An operation that a job carries out can be undone after the end of the job.`,
  request: {
    path: idPath,
    query: z.object({ async: asynchronous }),
    body: jsonBody(
      z.object({
        strict: z
          .boolean()
          .default(false)
          .describe(
            'Whether nothing is taken back if any record was changed again. An operation of more than 10,000 records is not taken back as a whole.',
          ),
        label: z
          .string()
          .optional()
          .describe('The label of the identity that returns, if its own is in use by now.'),
      }),
    ),
  },
  responses: {
    200: jsonResponse('The result of the undo.', UndoneOperation),
    202: jsonResponse('The job that does the work.', StartedBatch),
  },
  problems: [
    ...JSON_PROBLEMS,
    'not_found',
    'not_undoable',
    'changed_since',
    'identity_exists',
    'job_unfinished',
    'too_many_jobs',
  ],
});
