import { z } from 'zod';
import { defineContract, jsonBody, jsonResponse } from '../define-contract.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { idList } from '../record-id.ts';
import { Detection } from './detection.ts';

export const QueriedDetections = z
  .object({ items: z.array(Detection) })
  .meta({ id: 'QueriedDetections' });

export const queryDetectionsContract = defineContract({
  method: 'POST',
  path: '/api/detections/query',
  right: 'read',
  tag: 'Detections',
  summary: 'Get detections by their ids',
  description:
    'The response contains each detection once, in the order of the ids. Ids of unknown detections are skipped.',
  request: { body: jsonBody(z.object({ detection_ids: idList })) },
  responses: { 200: jsonResponse('The detections.', QueriedDetections) },
  problems: JSON_PROBLEMS,
});
