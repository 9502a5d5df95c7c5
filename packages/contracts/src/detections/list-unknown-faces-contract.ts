import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { page, pageOf } from '../pagination.ts';
import { Detection } from './detection.ts';

export const UnknownFaces = pageOf(Detection).meta({ id: 'UnknownFaces' });

export const listUnknownFacesContract = defineContract({
  method: 'GET',
  path: '/api/detections/unknown',
  right: 'read',
  tag: 'Detections',
  summary: 'List faces without an identity, newest first',
  description: 'The list includes faces that were dismissed or rejected from an identity.',
  request: { query: z.object(page) },
  responses: { 200: jsonResponse('The faces.', UnknownFaces) },
  problems: [],
});
