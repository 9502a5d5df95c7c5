import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { DetectionType } from '../detections/detection.ts';
import { page } from '../pagination.ts';
import { searchText } from '../text.ts';

export const FoundIdentity = z
  .object({
    identity_id: z.int(),
    type: DetectionType,
    label: z.string(),
    similarity: z
      .number()
      .min(0)
      .max(1)
      .describe(
        'How well the label matches: 1 if it equals the text, 0.75 or more if it has the text at the beginning of a word, 0.5 or more if it contains the text; less if it has words that are similar to the text.',
      ),
    thumbnail_url: z
      .string()
      .nullable()
      .describe('Path of the crop of the cover detection, else of the newest confirmed detection.'),
  })
  .meta({ id: 'FoundIdentity' });

export const FoundIdentities = z
  .object({
    items: z.array(FoundIdentity).describe('The most similar first, then by label.'),
  })
  .meta({ id: 'FoundIdentities' });

export const searchIdentitiesContract = defineContract({
  method: 'GET',
  path: '/api/search',
  right: 'read',
  tag: 'Search',
  summary: 'Find identities by name',
  description:
    'Finds labels that contain the text, and labels with similar words. Case and accents are ignored; no character has a special meaning.',
  request: {
    query: z.object({
      q: searchText.describe('1 to 200 characters; white space around them is removed.'),
      type: DetectionType.optional(),
      limit: page.limit,
    }),
  },
  responses: { 200: jsonResponse('The identities that were found.', FoundIdentities) },
  problems: [],
});
