import { z } from 'zod';
import { ClusterTask } from './cluster-task.ts';
import { Sha256 } from './sha-256.ts';

export const ServedModel = z.object({
  /** Of the pack. */
  name: z.string().min(1),
  task: ClusterTask,
  revision: Sha256,
  keep: z.enum(['disk', 'loaded']),
});
export type ServedModel = z.infer<typeof ServedModel>;

/** What an inference pod is to hold: the operator writes it, and the pod reads it. Members that a newer operator adds are passed over. */
export const ServingFile = z.object({ models: z.array(ServedModel) });
export type ServingFile = z.infer<typeof ServingFile>;
