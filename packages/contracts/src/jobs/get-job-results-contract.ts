import { z } from 'zod';
import { defineContract, emptyResponse } from '../define-contract.ts';
import { mediaRequest } from '../media/media-file.ts';
import { idPath } from '../record-id.ts';
import { ImportCounts } from '../transfer/import-counts.ts';
import { JobResults } from './job-results.ts';

export const getJobResultsContract = defineContract({
  method: 'GET',
  path: '/api/jobs/{id}/results',
  right: 'read',
  tag: 'Jobs',
  summary: 'Get the results of a job that has ended',
  description: [
    'For `bulk_detect` and `reprocess` the results are what their requests answer without `async`, for `import` its counts, and for `export` the ZIP, which needs a key with full rights. Ranges apply to the ZIP.',
    'Results are kept for seven days. Other types of jobs, and an export or import that failed, have none: 404 `not_found`, as `results_url` says.',
  ].join('\n\n'),
  request: { path: idPath, headers: mediaRequest.headers },
  responses: {
    200: {
      description: 'The results.',
      mediaType: 'application/json',
      schema: z.union([JobResults, ImportCounts]),
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
