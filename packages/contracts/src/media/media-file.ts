import { z } from 'zod';
import { emptyResponse } from '../define-contract.ts';
import { integer } from '../numeric.ts';

/** The request of every endpoint that serves a stored file. */
export const mediaRequest = {
  path: z.object({
    id: integer(),
    hash: z.string().describe('SHA-256 of the file, so that the path changes with the content.'),
  }),
  headers: z.object({
    'if-none-match': z.string().optional().describe('ETags of the files that the caller has.'),
    range: z.string().optional().describe('One byte range; for several, the whole file is sent.'),
    'if-range': z
      .string()
      .optional()
      .describe('ETag that the file must have for the range to apply.'),
  }),
};

const cached = {
  ETag: 'SHA-256 of the file, for If-None-Match and If-Range.',
  'Cache-Control': 'One day, private caches only.',
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
  304: { ...emptyResponse('The caller has the file already.'), headers: cached },
} as const;
