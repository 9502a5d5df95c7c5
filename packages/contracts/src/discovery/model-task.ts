import { z } from 'zod';

export const ModelTask = z.enum(['face', 'object', 'open_vocabulary']).meta({
  id: 'ModelTask',
  description:
    "The kind of a model's detections: faces, objects, or objects of an open vocabulary.",
});

/** The members that identify a model in every response. */
export const modelNames = {
  task: ModelTask,
  name: z.string(),
  id: z.int().nullable().describe('Null while the database is unavailable.'),
  revision: z.string().describe('SHA-256 of the model files and their preprocessing.'),
};
