import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { DetectionType } from '../detections/detection.ts';
import { DEFAULT_LIMIT, limit, MAX_LIMIT } from '../pagination.ts';
import { searchText } from './search-text.ts';

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
        'How well the label fits: 1 if it is the text; from 0.5 on it contains the text, from 0.75 on at the beginning of a word; below, words in it are similar to the text.',
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
    'Finds labels that contain the text, and labels with words similar to it. Case and accents do not matter; no character has a special meaning.',
  request: {
    query: z.object({
      q: searchText.describe('1 to 200 characters; white space around them is removed.'),
      type: DetectionType.optional(),
      limit: limit
        .optional()
        .describe(
          `Maximum number of items, 1 to ${MAX_LIMIT}; other values are clamped. Default: ${DEFAULT_LIMIT}.`,
        ),
    }),
  },
  responses: { 200: jsonResponse('The identities that were found.', FoundIdentities) },
  problems: [],
});
