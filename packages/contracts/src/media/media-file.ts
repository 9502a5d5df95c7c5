import { z } from 'zod';
import { emptyResponse } from '../define-contract.ts';
import { integer } from '../numeric.ts';

export const mediaRequest = {
  path: z.object({
    id: integer(),
    hash: z.string().describe('SHA-256 of the file, so that the path changes with the content.'),
  }),
  headers: z.object({
    'if-none-match': z
      .string()
      .optional()
      .describe('ETags of the files that the caller already has.'),
    range: z
      .string()
      .optional()
      .describe('A single byte range; a request for several ranges gets the whole file.'),
    'if-range': z
      .string()
      .optional()
      .describe('ETag that the file must have for the range to apply.'),
  }),
};

/** The query of a file that is also available in these widths. */
export function sized<const Width extends string>(widths: readonly [Width, ...Width[]]) {
  return z.object({
    w: z
      .enum(widths)
      .transform(Number)
      .optional()
      .describe(
        'Width in pixels of a smaller JPEG; the file itself is sent if it is not wider, and with `Cache-Control: no-store` while no smaller one can be made. The smaller JPEG has an ETag of its own.',
      ),
  });
}

const cached = {
  ETag: 'SHA-256 of the file, for If-None-Match and If-Range.',
  'Cache-Control': 'Private caches may keep the file for a day.',
};
const whole = {
  ...cached,
  'Accept-Ranges': '`bytes`.',
  'Content-Length': 'Size of the body in bytes.',
};

export const mediaResponses = {
  200: {
    description: 'The file.',
    mediaType: 'image/jpeg',
    schema: z.file(),
    headers: whole,
  },
  206: {
    description: 'A range of the file.',
    mediaType: 'image/jpeg',
    schema: z.file(),
    headers: { ...whole, 'Content-Range': 'The range and the size of the file.' },
  },
  304: { ...emptyResponse("The caller's copy of the file is current."), headers: cached },
} as const;
