import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { flag } from '../flag.ts';
import { integer } from '../numeric.ts';
import { optionalPage, pageOf } from '../pagination.ts';
import { IdentityDetails } from './identity.ts';
import { identityFilter } from './list-identities-contract.ts';

export const IdentitySummaries = pageOf(IdentityDetails)
  .extend({
    total: z.int().min(0).describe('Number of all matching identities, on all pages.'),
  })
  .meta({ id: 'IdentitySummaries' });

/** The query parameters that select identities with their counts. */
export const summaryFilter = {
  ...identityFilter,
  min_detections: integer(z.int().min(0))
    .optional()
    .describe('Only identities with at least this number of detections.'),
  has_pending: flag
    .optional()
    .describe('Only identities with detections that wait for review. Default: false.'),
};

export const summarySort = z
  .enum(['label', 'detections', 'newest', 'last_seen'])
  .default('label')
  .describe(
    'Order of the identities: by `label`; by the number of `detections`, most first; `newest` first; or by the time of the newest detection, the latest first and identities without detections last.',
  );

export const listIdentitySummariesContract = defineContract({
  method: 'GET',
  path: '/api/identities/summary',
  right: 'read',
  tag: 'Identities',
  summary: 'List identities with their counts, by default by label',
  request: { query: z.object({ ...summaryFilter, sort: summarySort, ...optionalPage }) },
  responses: { 200: jsonResponse('The identities.', IdentitySummaries) },
  problems: [],
});
