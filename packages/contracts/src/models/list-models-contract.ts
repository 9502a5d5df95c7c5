import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { optionalPage, pageOf } from '../pagination.ts';
import { Model } from './model.ts';

export const Models = pageOf(Model).meta({ id: 'Models' });

export const listModelsContract = defineContract({
  method: 'GET',
  path: '/api/models',
  right: 'read',
  tag: 'Models',
  summary: 'List the models of the installation, oldest first',
  description:
    'Lists the models of the catalog and those in the models folders of processes that run models.',
  request: { query: z.object(optionalPage) },
  responses: { 200: jsonResponse('The models.', Models) },
  problems: [],
});
