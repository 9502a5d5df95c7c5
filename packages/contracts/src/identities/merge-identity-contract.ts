import { z } from 'zod';
import { defineContract, jsonBody, jsonResponse } from '../define-contract.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { idPath } from '../record-id.ts';

export const MergedIdentity = z
  .object({
    merged_into: z
      .int()
      .describe('Id of the target identity, which now has the detections and references of both.'),
    deleted: z.int().describe('Id of the deleted identity.'),
  })
  .meta({ id: 'MergedIdentity' });

export const mergeIdentityContract = defineContract({
  method: 'POST',
  path: '/api/identities/{id}/merge',
  right: 'full',
  operation: 'merge',
  idempotent: true,
  tag: 'Identities',
  summary: 'Merge an identity into another one',
  description:
    'All detections and enrolled references move to the target identity, which keeps its label. The target takes over the cover and the external_ref if it has none of its own. Both identities must have the same type. If the service had assigned a face of the same image to each of them, the more similar face stays; the other one becomes pending without an identity, and the target is among its suggestions. The service responds after all records have moved. From the start of the merge, other requests find all records under the target identity. The service completes a merge even after a crash.',
  request: {
    path: idPath,
    body: jsonBody(z.object({ into: z.int().describe('Id of the target identity.') })),
  },
  responses: { 200: jsonResponse('What was merged.', MergedIdentity) },
  problems: [...JSON_PROBLEMS, 'not_found', 'type_mismatch'],
});
