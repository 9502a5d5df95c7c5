import { z } from 'zod';
import { defineContract, jsonBody, jsonResponse } from '../define-contract.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { idPath } from '../record-id.ts';

export const IdentityCover = z
  .object({ identity_id: z.int(), cover_detection_id: z.int().nullable() })
  .meta({ id: 'IdentityCover' });

export const setIdentityCoverContract = defineContract({
  method: 'PUT',
  path: '/api/identities/{id}/cover',
  right: 'full',
  operation: 'cover',
  tag: 'Identities',
  summary: 'Set the detection that shows an identity',
  request: {
    path: idPath,
    body: jsonBody(
      z.object({
        detection_id: z
          .int()
          .nullable()
          .describe(
            'Id of a detection of the identity. Null clears the cover, so that the newest confirmed detection shows the identity.',
          ),
      }),
    ),
  },
  responses: { 200: jsonResponse('The identity with its cover.', IdentityCover) },
  problems: [...JSON_PROBLEMS, 'not_found', 'not_of_identity'],
});
