import { z } from 'zod';
import { defineContract, emptyResponse } from '../define-contract.ts';
import { mediaRequest } from '../media/media-file.ts';
import { idPath } from '../record-id.ts';
import { ImportCounts } from '../transfer/import-counts.ts';
import { UndoneOperation } from '../operations/undo-operation-contract.ts';
import { BulkResults } from './bulk-results.ts';
import { JobResults } from './job-results.ts';

export const getJobResultsContract = defineContract({
  method: 'GET',
  path: '/api/jobs/{id}/results',
  right: 'read',
  tag: 'Jobs',
  summary: 'Get the results of a job that has ended',
  description: [
    'The results of `bulk_detect` and `reprocess` equal the response of the same request without `async`. The results of `import` are its counts, those of `bulk_review` and `bulk_detections` the numbers of detections with the failures, and those of `undo` the response of the same request without `async`. The result of `export` is a ZIP, which requires a key with full rights and supports range requests.',
    'Results are kept for seven days. Other types of jobs, and exports or imports that failed, have no results: `results_url` is null, and this endpoint responds with 404 `not_found`.',
  ].join('\n\n'),
  request: { path: idPath, headers: mediaRequest.headers },
  responses: {
    200: {
      description: 'The results.',
      mediaType: 'application/json',
      schema: z.union([JobResults, ImportCounts, BulkResults, UndoneOperation]),
      file: { mediaType: 'application/zip', schema: z.file() },
    },
    206: {
      description: 'A range of the ZIP.',
      mediaType: 'application/zip',
      schema: z.file(),
      headers: { 'Content-Range': 'The range and the size of the file.' },
    },
    304: emptyResponse("The caller's copy of the ZIP is current."),
  },
  problems: ['not_found', 'forbidden', 'job_unfinished', 'range_not_satisfiable'],
});
