import { defineContract, jsonResponse } from '../define-contract.ts';
import { idPath } from '../record-id.ts';
import { Detection } from './detection.ts';

export const getDetectionContract = defineContract({
  method: 'GET',
  path: '/api/detections/{id}',
  right: 'read',
  tag: 'Detections',
  summary: 'Get a detection',
  request: { path: idPath },
  responses: { 200: jsonResponse('The detection.', Detection) },
  problems: ['not_found'],
});
