import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { asynchronous, StartedJob } from '../jobs/started-job.ts';
import { STORED_IMAGE_PROBLEMS } from '../problem-lists.ts';
import { idPath } from '../record-id.ts';
import { DetectionRun } from './detection-run.ts';
import { runsFields } from './runs-fields.ts';

export const reprocessImageContract = defineContract({
  method: 'POST',
  path: '/api/images/{id}/reprocess',
  right: 'full',
  idempotent: true,
  operation: 'replace',
  tag: 'Images',
  summary: 'Run the active models on a stored image',
  description:
    'Analyzes the original file if it was kept, else the stored image. Faces and objects that were found before keep their detections and crops.',
  request: {
    path: idPath,
    query: z.object({ ...runsFields, async: asynchronous }),
  },
  responses: {
    200: jsonResponse('The faces and objects that are stored now.', DetectionRun),
    202: jsonResponse('The job that does the work.', StartedJob),
  },
  problems: [...STORED_IMAGE_PROBLEMS, 'not_found', 'no_active_model', 'too_many_jobs'],
});
