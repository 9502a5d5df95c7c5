import { z } from 'zod';

/** A task, as Kubernetes custom resources name it. */
export const ClusterTask = z.enum(['Face', 'Object', 'OpenVocabulary']);
export type ClusterTask = z.infer<typeof ClusterTask>;
