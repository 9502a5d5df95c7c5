import { z } from 'zod';
import { defineContract, jsonBody, jsonResponse } from '../define-contract.ts';
import { asynchronous, StartedJob } from '../jobs/started-job.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { idList } from '../record-id.ts';

export const exportLibraryContract = defineContract({
  method: 'POST',
  path: '/api/export',
  right: 'full',
  idempotent: true,
  tag: 'Export and import',
  summary: 'Export identities, detections, embeddings and images as a ZIP',
  description: [
    'The service streams the archive while it creates the archive; docs/archive.md describes the format. If the export fails midway, the service closes the connection before the end of the body.',
    'With `async`, a job writes the archive to the media store, and resumes after an outage. `GET /api/jobs/{id}/results` then sends the archive and supports range requests.',
  ].join('\n\n'),
  request: {
    query: z.object({ async: asynchronous }),
    body: jsonBody(
      z.object({
        identity_ids: idList
          .optional()
          .describe(
            'Exports only these identities, the detections that are assigned to or were rejected from these identities, and the images of the exported detections. Unknown ids are skipped. Default: the whole library.',
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
