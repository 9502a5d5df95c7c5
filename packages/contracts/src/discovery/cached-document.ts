import { z } from 'zod';
import { emptyResponse } from '../define-contract.ts';

/** The request of a document that changes with the version of the service only. */
export const documentRequest = {
  headers: z.object({
    'if-none-match': z.string().optional().describe('ETags of the documents that the caller has.'),
  }),
};

export const documentHeaders = {
  ETag: 'Changes with the document, for If-None-Match.',
  'Cache-Control': 'A cached copy is valid after a check with If-None-Match.',
};

export const unchangedDocument = {
  ...emptyResponse('The caller has the document already.'),
  headers: documentHeaders,
};
