import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { DetectionType } from '../detections/detection.ts';
import { optionalPage, pageOf } from '../pagination.ts';
import { externalRef, searchText, TRIMMED_LENGTH } from '../text.ts';
import { Identity } from './identity.ts';

export const Identities = pageOf(Identity).meta({ id: 'Identities' });

/** The query parameters that select identities. An identity must match all given parameters. */
export const identityFilter = {
  type: DetectionType.optional(),
  q: searchText.optional().meta({
    maxLength: TRIMMED_LENGTH.maxLength,
    description:
      'Lists the identities whose label contains this text, regardless of case and accents. At most 200 characters; leading and trailing white space is removed.',
  }),
  external_ref: externalRef.describe('Exact match.'),
};

export const listIdentitiesContract = defineContract({
  method: 'GET',
  path: '/api/identities',
  right: 'read',
  tag: 'Identities',
  summary: 'List identities by label',
  request: { query: z.object({ ...identityFilter, ...optionalPage }) },
  responses: { 200: jsonResponse('The identities.', Identities) },
  problems: [],
});
