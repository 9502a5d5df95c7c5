import { z } from 'zod';

/** A task, as the custom resources of a cluster name it. */
export const ClusterTask = z.enum(['Face', 'Object', 'OpenVocabulary']);
export type ClusterTask = z.infer<typeof ClusterTask>;
