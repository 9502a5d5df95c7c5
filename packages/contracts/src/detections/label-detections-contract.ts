import { z } from 'zod';
import { defineContract, jsonBody, jsonResponse } from '../define-contract.ts';
import { ItemError } from '../item-error.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { MAX_IDS } from '../record-id.ts';

export const LabelResults = z
  .object({
    results: z
      .array(
        z.object({
          detection_id: z.int(),
          ok: z.boolean(),
          error: ItemError.optional().describe('Present if the item failed.'),
        }),
      )
      .describe('One result per item, in the order of the items.'),
  })
  .meta({ id: 'LabelResults' });

export const labelDetectionsContract = defineContract({
  method: 'POST',
  path: '/api/detections/label',
  right: 'review',
  operation: 'relabel',
  idempotent: true,
  tag: 'Detections',
  summary: 'Label many detections',
  description:
    'Confirms each detection under an identity; faces are enrolled. Items are processed one by one in the order of the request; a failed item does not affect the others. If the request fails in the middle, the detections labeled so far stay labeled; repeat the request for the remaining items.',
  request: {
    body: jsonBody(
      z.object({
        items: z
          .array(
            z.object({
              detection_id: z.int(),
              label: z
                .string()
                .optional()
                .describe('Label of the identity, which is created if it does not exist.'),
              identity_id: z.int().optional().describe('Id of an existing identity.'),
            }),
          )
          .max(MAX_IDS)
          .describe('The items, each with exactly one of label and identity_id.'),
      }),
    ),
  },
  responses: { 200: jsonResponse('The result of each item.', LabelResults) },
  problems: [...JSON_PROBLEMS, 'inference_unavailable'],
});
