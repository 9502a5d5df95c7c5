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
    'All detections and enrolled references move to the other identity, which keeps its label; it takes the cover and the external_ref where it has none. Both must be of the same type. The answer comes when all rows have moved. Other requests find everything there from the beginning of the merge on; a merge that has begun is completed even after a crash.',
  request: {
    path: idPath,
    body: jsonBody(
      z.object({ into: z.int().describe('Id of the identity that gets everything.') }),
    ),
  },
  responses: { 200: jsonResponse('What was merged.', MergedIdentity) },
  problems: [...JSON_PROBLEMS, 'not_found', 'type_mismatch'],
});
