import { z } from 'zod';
import { defineContract } from '../define-contract.ts';

export const getDocsContract = defineContract({
  method: 'GET',
  path: '/docs',
  right: 'none',
  tag: 'Discovery',
  summary: 'Interactive documentation',
  request: {},
  responses: {
    200: { description: 'A page for the browser.', mediaType: 'text/html', schema: z.string() },
  },
  problems: [],
});
