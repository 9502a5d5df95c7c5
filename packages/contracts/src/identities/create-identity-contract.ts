import { z } from 'zod';
import { defineContract, jsonBody, jsonResponse } from '../define-contract.ts';
import { DetectionType } from '../detections/detection.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { givenLabel } from './given-label.ts';
import { externalRef } from '../text.ts';

export const CreatedIdentity = z
  .object({
    id: z.int(),
    type: DetectionType,
    label: z.string(),
    external_ref: z.string().nullable(),
  })
  .meta({ id: 'CreatedIdentity' });

export const createIdentityContract = defineContract({
  method: 'POST',
  path: '/api/identities',
  right: 'full',
  idempotent: true,
  tag: 'Identities',
  summary: 'Create an identity',
  request: {
    body: jsonBody(z.object({ label: givenLabel, type: DetectionType, external_ref: externalRef })),
  },
  responses: { 201: jsonResponse('The new identity.', CreatedIdentity) },
  problems: [...JSON_PROBLEMS, 'identity_exists'],
});
