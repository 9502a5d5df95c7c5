import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { DetectionType } from '../detections/detection.ts';
import { page } from '../pagination.ts';
import { searchText, TRIMMED_LENGTH } from '../text.ts';

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
        'How well the label matches the text: 1 if the label equals the text, at least 0.75 if a word of the label begins with the text, at least 0.5 if the label contains the text, and less if the label only has similar words.',
      ),
    thumbnail_url: z
      .string()
      .nullable()
      .describe('Path of the crop of the cover detection, else of the newest confirmed detection.'),
  })
  .meta({ id: 'FoundIdentity' });

export const FoundIdentities = z
  .object({
    items: z
      .array(FoundIdentity)
      .describe('Identities in descending order of similarity, then by label.'),
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
      q: searchText.meta({
        ...TRIMMED_LENGTH,
        description: '1 to 200 characters. Leading and trailing white space is removed.',
      }),
      type: DetectionType.optional(),
      limit: page.limit,
    }),
  },
  responses: { 200: jsonResponse('The identities that were found.', FoundIdentities) },
  problems: [],
});
