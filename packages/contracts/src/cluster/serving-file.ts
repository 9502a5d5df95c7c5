import { z } from 'zod';
import { ClusterTask } from './cluster-task.ts';
import { Sha256 } from './sha-256.ts';

export const ServedModel = z.object({
  /** The name of the pack. */
  name: z.string().min(1),
  task: ClusterTask,
  revision: Sha256,
  keep: z.enum(['disk', 'loaded']),
});
export type ServedModel = z.infer<typeof ServedModel>;

/** The models that an inference pod has to load. The operator writes the file, and the pod reads it. Readers ignore members that a newer operator adds. */
export const ServingFile = z.object({ models: z.array(ServedModel) });
export type ServingFile = z.infer<typeof ServingFile>;
