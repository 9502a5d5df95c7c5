import { z } from 'zod';
import { Sha256 } from './sha-256.ts';

export const ModelTask = z.enum(['face', 'object', 'open_vocabulary']);

export const DesiredModel = z.object({
  task: ModelTask,
  /** The name of the model's pack; absent if only the revision is known. */
  name: z.string().min(1).optional(),
  revision: Sha256,
  keep: z.enum(['loaded', 'disk']),
});
export type DesiredModel = z.infer<typeof DesiredModel>;

/**
 * The models that a process has to load or keep on disk. The operator writes this document to a file of its pods, and
 * workers send it as the body of `PUT /v1/models`. Readers ignore unknown members, because a newer writer may add some.
 */
export const DesiredModels = z.object({
  provider: z.enum(['auto', 'cpu']).default('auto'),
  /**
   * The models in order of preference. A request that names no models uses the first face model and the first object
   * model.
   */
  models: z.array(DesiredModel),
});
export type DesiredModels = z.infer<typeof DesiredModels>;
