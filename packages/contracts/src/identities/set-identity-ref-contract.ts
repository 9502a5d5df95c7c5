import { z } from 'zod';
import { defineContract, jsonBody, jsonResponse } from '../define-contract.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { idPath } from '../record-id.ts';
import { storableText } from '../text.ts';

export const IdentityRef = z
  .object({ id: z.int(), external_ref: z.string().nullable() })
  .meta({ id: 'IdentityRef' });

export const setIdentityRefContract = defineContract({
  method: 'PUT',
  path: '/api/identities/{id}/external_ref',
  right: 'full',
  operation: 'external_ref',
  tag: 'Identities',
  summary: "Set the caller's own reference to an identity",
  request: {
    path: idPath,
    body: jsonBody(
      z.object({
        external_ref: storableText(1000)
          .nullable()
          .transform((text) => (text === '' ? null : text))
          .describe('Null or an empty text clears the reference.'),
      }),
    ),
  },
  responses: { 200: jsonResponse('The identity with its reference.', IdentityRef) },
  problems: [...JSON_PROBLEMS, 'not_found'],
});
