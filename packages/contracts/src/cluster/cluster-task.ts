import { z } from 'zod';

/** The name of a model task in Kubernetes custom resources. */
export const ClusterTask = z.enum(['Face', 'Object', 'OpenVocabulary']);
export type ClusterTask = z.infer<typeof ClusterTask>;

/** The name of each task in the API and in model packs. */
export const MODEL_TASKS = {
  Face: 'face',
  Object: 'object',
  OpenVocabulary: 'open_vocabulary',
} as const satisfies Record<ClusterTask, string>;
