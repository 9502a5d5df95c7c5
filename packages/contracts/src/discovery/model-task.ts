import { z } from 'zod';

export const ModelTask = z.enum(['face', 'object', 'open_vocabulary']).meta({
  id: 'ModelTask',
  description: 'What a model answers: faces, objects, or objects of a free vocabulary.',
});

/** What names a model in every answer. */
export const modelNames = {
  task: ModelTask,
  name: z.string(),
  id: z.int().nullable().describe('Null while the database cannot be asked.'),
  revision: z.string().describe('SHA-256 over the components and their preprocessing.'),
};
