import { z } from 'zod';

export const ActivatedModel = z
  .object({
    id: z.int(),
    name: z.string(),
    task: z.enum(['face', 'object', 'open_vocabulary']),
    active: z.literal(true),
    previous_model_id: z
      .int()
      .nullable()
      .describe('The model that was active before; its own id if it was active. Null: none was.'),
  })
  .meta({ id: 'ActivatedModel', description: 'A model that answers for its task now.' });
