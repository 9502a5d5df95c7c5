import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { documentHeaders, documentRequest, unchangedDocument } from './cached-document.ts';

export const getOpenapiContract = defineContract({
  method: 'GET',
  path: '/openapi.json',
  right: 'none',
  tag: 'Discovery',
  summary: 'Get this OpenAPI document',
  request: documentRequest,
  responses: {
    200: {
      ...jsonResponse(
        'An OpenAPI 3.1 document.',
        z.looseObject({ openapi: z.string().startsWith('3.1.') }).meta({ id: 'OpenApi' }),
      ),
      headers: documentHeaders,
    },
    304: unchangedDocument,
  },
  problems: [],
});
