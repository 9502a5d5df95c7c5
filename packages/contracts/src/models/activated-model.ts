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
      .describe(
        "Id of the previously active model, which is the model's own id if it was active already; null if no model was active.",
      ),
  })
  .meta({ id: 'ActivatedModel', description: 'A model that is now the active one of its task.' });
