import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';

export const getOpenapiContract = defineContract({
  method: 'GET',
  path: '/openapi.json',
  right: 'none',
  tag: 'Discovery',
  summary: 'Get this OpenAPI document',
  request: {},
  responses: {
    200: jsonResponse(
      'An OpenAPI 3.1 document.',
      z.looseObject({ openapi: z.string().startsWith('3.1.') }),
    ),
  },
  problems: [],
});
