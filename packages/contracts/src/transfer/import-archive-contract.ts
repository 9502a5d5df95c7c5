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
    'Takes an archive that `POST /api/export` has written, here or in another installation, of at most `system.import_max_bytes`. It is checked as a whole before anything is stored. Then it is stored image by image; what was broken off can be repeated, and adds nothing twice.',
    'Images are the same if their bytes are, detections if their boxes overlap, identities by type and label. What a person decided wins over what the service decided; of two decisions by persons the one that is there stays. External references and covers are taken over where there are none. Faces without an embedding of the active model get it by a job; until enrolled faces have it, matching answers `vectors_unavailable`.',
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
    202: jsonResponse('The job that imports the archive, which was checked.', StartedJob),
  },
  problems: [...FORM_PROBLEMS, 'file_too_large', 'archive_invalid', 'overloaded', 'too_many_jobs'],
});
