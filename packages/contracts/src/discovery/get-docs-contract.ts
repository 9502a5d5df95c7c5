import { z } from 'zod';
import { defineContract } from '../define-contract.ts';

export const getDocsContract = defineContract({
  method: 'GET',
  path: '/docs',
  right: 'none',
  tag: 'Discovery',
  summary: 'Open the interactive documentation',
  request: {},
  responses: {
    200: { description: 'An HTML page.', mediaType: 'text/html', schema: z.string() },
  },
  problems: [],
});
