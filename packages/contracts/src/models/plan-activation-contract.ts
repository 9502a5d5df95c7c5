import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { idPath } from '../record-id.ts';
import { reembed } from './reembed.ts';

const count = z.int().min(0);

export const ActivationPlan = z
  .object({
    reembed_images: count.describe(
      'Images of all environments whose faces need embeddings of the model.',
    ),
    enrolled_images: count.describe('The ones of these with enrolled faces, which come first.'),
    estimated_seconds: count
      .nullable()
      .describe(
        'Time for all these images, from the rate of recent jobs that computed embeddings, if possible with this model; null if there was none in the last 30 days. It excludes the time for loading the model.',
      ),
    enrolled_seconds: count
      .nullable()
      .describe(
        'Time for the images with enrolled faces: until the switch, or until matching resumes.',
      ),
    needed_bytes: count.describe(
      'Size of the new embeddings, without the indexes of the database.',
    ),
    free_bytes: count
      .nullable()
      .describe('Free space on the disk of the database; null if the database runs elsewhere.'),
    matching_pauses: z
      .boolean()
      .describe(
        'Whether matching is unavailable after the switch, until `enrolled_images` are done.',
      ),
  })
  .meta({ id: 'ActivationPlan', description: 'The consequences of an activation.' });

export const planActivationContract = defineContract({
  method: 'GET',
  path: '/api/models/{id}/activation',
  right: 'admin',
  tag: 'Models',
  summary: 'Get the consequences of an activation before it is done',
  description:
    'Changes nothing. All faces of the installation are read, which takes some seconds with millions of them. For the active model there is nothing to do.',
  request: { path: idPath, query: z.object({ reembed }) },
  responses: { 200: jsonResponse('The consequences of the activation.', ActivationPlan) },
  problems: ['not_found', 'model_not_downloaded'],
});
