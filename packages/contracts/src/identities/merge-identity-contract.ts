import { z } from 'zod';
import { defineContract, jsonBody, jsonResponse } from '../define-contract.ts';
import { JSON_PROBLEMS } from '../problem.ts';
import { idPath } from '../record-id.ts';

export const MergedIdentity = z
  .object({
    merged_into: z.int().describe('Id of the identity that has everything now.'),
    deleted: z.int().describe('Id of the identity that is gone.'),
  })
  .meta({ id: 'MergedIdentity' });

export const mergeIdentityContract = defineContract({
  method: 'POST',
  path: '/api/identities/{id}/merge',
  right: 'full',
  idempotent: true,
  tag: 'Identities',
  summary: 'Merge an identity into another one',
  description:
    'All detections and enrolled references move to the other identity, which keeps its label; its cover and external_ref too, if it has them. Both must be of the same type. The answer comes when everything has moved; for all other requests it has moved as soon as the merge has begun, and a merge that has begun ends whatever happens.',
  request: {
    path: idPath,
    body: jsonBody(
      z.object({ into: z.int().describe('Id of the identity that gets everything.') }),
    ),
  },
  responses: { 200: jsonResponse('What was merged.', MergedIdentity) },
  problems: [...JSON_PROBLEMS, 'not_found', 'type_mismatch'],
});
