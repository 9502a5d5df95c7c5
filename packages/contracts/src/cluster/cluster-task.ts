import { z } from 'zod';

/** A task, as Kubernetes custom resources name it. */
export const ClusterTask = z.enum(['Face', 'Object', 'OpenVocabulary']);
export type ClusterTask = z.infer<typeof ClusterTask>;

/** The tasks of custom resources, as models name them. */
export const MODEL_TASKS = {
  Face: 'face',
  Object: 'object',
  OpenVocabulary: 'open_vocabulary',
} as const satisfies Record<ClusterTask, string>;
