import { z } from 'zod';

export const ModelTask = z.enum(['face', 'object', 'open_vocabulary']).meta({
  id: 'ModelTask',
  description: 'What a model answers: faces, objects, or objects of a free vocabulary.',
});

/** What names a model in every answer. */
export const modelNames = {
  task: ModelTask,
  name: z.string(),
  id: z.int().nullable().describe('Id of the model record; null if none is kept.'),
  revision: z.string().describe('SHA-256 over the components and their preprocessing.'),
};
