import { defineContract, jsonResponse } from '../define-contract.ts';
import { idPath } from '../record-id.ts';
import { Model } from './model.ts';

export const getModelContract = defineContract({
  method: 'GET',
  path: '/api/models/{id}',
  right: 'read',
  tag: 'Models',
  summary: 'Get a model',
  request: { path: idPath },
  responses: { 200: jsonResponse('The model.', Model) },
  problems: ['not_found'],
});
