import { z } from 'zod';
import { defineContract, jsonBody, jsonResponse } from '../define-contract.ts';
import { asynchronous, StartedJob } from '../jobs/started-job.ts';
import { JSON_PROBLEMS } from '../problem.ts';
import { idList } from '../record-id.ts';

export const exportLibraryContract = defineContract({
  method: 'POST',
  path: '/api/export',
  right: 'full',
  idempotent: true,
  tag: 'Export and import',
  summary: 'Export identities, detections, embeddings and images as a ZIP',
  description: [
    'The archive is sent while it is written; docs/archive.md describes it. If the service cannot go on, it closes the connection before the end.',
    'A job writes it to the place of images first, and goes on after an outage; `GET /api/jobs/{id}/results` sends it, also in ranges.',
  ].join('\n\n'),
  request: {
    query: z.object({ async: asynchronous }),
    body: jsonBody(
      z.object({
        identity_ids: idList
          .optional()
          .describe(
            'Only these identities, what is assigned to them or was rejected from them, and the images of that; unknown ids are skipped. Default: everything.',
          ),
      }),
    ),
  },
  responses: {
    200: {
      description: 'The archive.',
      mediaType: 'application/zip',
      schema: z.file(),
      headers: { 'Content-Disposition': '`attachment`, and a file name with the date.' },
    },
    202: jsonResponse('The job that writes the archive.', StartedJob),
  },
  problems: [...JSON_PROBLEMS, 'too_many_jobs'],
});
