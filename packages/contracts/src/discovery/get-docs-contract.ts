import { z } from 'zod';
import { defineContract } from '../define-contract.ts';
import { documentHeaders, documentRequest, unchangedDocument } from './cached-document.ts';

export const getDocsContract = defineContract({
  method: 'GET',
  path: '/docs',
  right: 'none',
  tag: 'Discovery',
  summary: 'Open the interactive documentation',
  request: documentRequest,
  responses: {
    200: {
      description: 'An HTML page.',
      mediaType: 'text/html',
      schema: z.string(),
      headers: documentHeaders,
    },
    304: unchangedDocument,
  },
  problems: [],
});
