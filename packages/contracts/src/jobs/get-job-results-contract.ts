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
    'Of `bulk_detect` and `reprocess` what their requests answer without `async`, of `import` its counts, of `export` the ZIP, which takes a key with full rights. Ranges are for the ZIP.',
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
    304: emptyResponse('The caller has the ZIP already.'),
  },
  problems: ['not_found', 'forbidden', 'job_unfinished', 'range_not_satisfiable'],
});
