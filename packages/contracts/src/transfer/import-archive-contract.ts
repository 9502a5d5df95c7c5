import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { asynchronous, StartedJob } from '../jobs/started-job.ts';
import { FORM_PROBLEMS } from '../problem.ts';
import { ImportCounts } from './import-counts.ts';

const TIB = 1024 ** 4;

export const importArchiveContract = defineContract({
  method: 'POST',
  path: '/api/import',
  right: 'full',
  idempotent: true,
  tag: 'Export and import',
  summary: 'Import identities, detections, embeddings and images from a ZIP',
  description: [
    'Takes an archive that `POST /api/export` has written, here or in another installation, of at most `system.import_max_bytes`. The service checks the whole archive before it stores anything. Then it stores image by image; an interrupted import can be repeated and adds nothing twice.',
    "Images are the same if their bytes are, detections if their boxes overlap, and identities if type and label are equal. A person's decision takes precedence over the decision of the service; of two decisions by persons, the existing one stays. The import sets external references and covers only on records without one. A job computes missing embeddings of the active model; until enrolled faces have theirs, matching answers `vectors_unavailable`.",
  ].join('\n\n'),
  request: {
    query: z.object({ async: asynchronous }),
    body: {
      maxBytes: { 'multipart/form-data': TIB },
      fields: z.looseObject({}),
      files: z.object({ file: z.file().describe('The archive.') }),
      imageTexts: [],
      exactlyOneOf: [],
    },
  },
  responses: {
    200: jsonResponse('What was imported.', ImportCounts),
    202: jsonResponse('The job that imports the archive, after the check.', StartedJob),
  },
  problems: [...FORM_PROBLEMS, 'file_too_large', 'archive_invalid', 'overloaded', 'too_many_jobs'],
});
