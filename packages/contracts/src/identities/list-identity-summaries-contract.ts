import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { pageOf } from '../pagination.ts';
import { IdentityDetails } from './identity.ts';
import { listIdentitiesContract } from './list-identities-contract.ts';

export const IdentitySummaries = pageOf(IdentityDetails)
  .extend({
    total: z.int().min(0).describe('Number of all matching identities, on all pages.'),
  })
  .meta({ id: 'IdentitySummaries' });

export const listIdentitySummariesContract = defineContract({
  method: 'GET',
  path: '/api/identities/summary',
  right: 'read',
  tag: 'Identities',
  summary: 'List identities by label, with their counts',
  request: listIdentitiesContract.request,
  responses: { 200: jsonResponse('The identities.', IdentitySummaries) },
  problems: [],
});
