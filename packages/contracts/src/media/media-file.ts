import { z } from 'zod';
import { emptyResponse } from '../define-contract.ts';
import { integer } from '../numeric.ts';

/** What every endpoint takes that serves a stored file. */
export const mediaRequest = {
  path: z.object({
    id: integer(),
    hash: z.string().describe('SHA-256 of the file; the address changes with the bytes.'),
  }),
  headers: z.object({
    'if-none-match': z.string().optional().describe('ETags that the caller has already.'),
    range: z.string().optional().describe('One range of bytes; several are answered as none.'),
    'if-range': z.string().optional().describe('The ETag for which the range is meant.'),
  }),
};

const cached = {
  ETag: 'The digest of the file, for If-None-Match and If-Range.',
  'Cache-Control': 'For a day, and not for shared caches.',
};
const whole = { ...cached, 'Accept-Ranges': '`bytes`.', 'Content-Length': 'Bytes of the body.' };

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
    headers: { ...whole, 'Content-Range': 'Which bytes these are, and of how many.' },
  },
  304: { ...emptyResponse('The caller has it already.'), headers: cached },
} as const;
