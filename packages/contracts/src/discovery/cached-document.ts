import { z } from 'zod';
import { emptyResponse } from '../define-contract.ts';

/** The request for a document that changes only with the version of the service. */
export const documentRequest = {
  headers: z.object({
    'if-none-match': z
      .string()
      .optional()
      .describe('ETags of the documents that the caller already has.'),
  }),
};

export const documentHeaders = {
  ETag: "The document's version, for If-None-Match.",
  'Cache-Control': 'Caches must revalidate their copy with If-None-Match.',
};

export const unchangedDocument = {
  ...emptyResponse("The caller's copy of the document is current."),
  headers: documentHeaders,
};
