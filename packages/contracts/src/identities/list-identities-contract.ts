import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { DetectionType } from '../detections/detection.ts';
import { optionalPage, pageOf } from '../pagination.ts';
import { externalRef, storableText } from '../text.ts';
import { Identity } from './identity.ts';

export const Identities = pageOf(Identity).meta({ id: 'Identities' });

export const listIdentitiesContract = defineContract({
  method: 'GET',
  path: '/api/identities',
  right: 'read',
  tag: 'Identities',
  summary: 'Identities in the order of their labels',
  request: {
    query: z.object({
      type: DetectionType.optional(),
      q: storableText(200).optional().describe('Part of a name, or something near it.'),
      external_ref: externalRef.describe('Exactly this one.'),
      ...optionalPage,
    }),
  },
  responses: { 200: jsonResponse('Identities.', Identities) },
  problems: [],
});
