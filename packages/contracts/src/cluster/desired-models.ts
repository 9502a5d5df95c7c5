import { z } from 'zod';
import { Sha256 } from './sha-256.ts';

export const ModelTask = z.enum(['face', 'object', 'open_vocabulary']);

export const DesiredModel = z.object({
  task: ModelTask,
  /** The name of its pack; absent: only the revision is known. */
  name: z.string().min(1).optional(),
  revision: Sha256,
  keep: z.enum(['loaded', 'disk']),
});
export type DesiredModel = z.infer<typeof DesiredModel>;

/**
 * The desired state of a process that runs models: the operator writes it into the serving file of pods, and workers send
 * it as the body of `PUT /v1/models`. Members that a newer writer adds are ignored.
 */
export const DesiredModels = z.object({
  provider: z.enum(['auto', 'cpu']).default('auto'),
  /** In order of preference: requests that name no models are answered by the first of each slot. */
  models: z.array(DesiredModel),
});
export type DesiredModels = z.infer<typeof DesiredModels>;
