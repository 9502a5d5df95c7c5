import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { asynchronous, StartedJob } from '../jobs/started-job.ts';
import { FORM_PROBLEMS } from '../problem-lists.ts';
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
    'Imports an archive that `POST /api/export` created in this or another installation. The archive may have at most `system.import_max_bytes`. The service checks the whole archive before it stores any record. Then the service stores one image after the other. An interrupted import can be repeated without creating duplicates.',
    "Images with equal bytes count as the same image, detections with overlapping boxes as the same detection, and identities with equal type and label as the same identity. A person's decision takes precedence over a decision of the service. If a person made both decisions, the existing decision stays. The import sets an external reference or a cover only if the record has none. A job computes missing embeddings of the active model. Until all enrolled faces have embeddings, requests that need matching fail with `vectors_unavailable`.",
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
    200: jsonResponse('The numbers of imported records.', ImportCounts),
    202: jsonResponse('The job that imports the archive, after the check.', StartedJob),
  },
  problems: [...FORM_PROBLEMS, 'file_too_large', 'archive_invalid', 'overloaded', 'too_many_jobs'],
});
