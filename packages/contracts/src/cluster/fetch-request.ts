import { z } from 'zod';
import { ClusterTask } from './cluster-task.ts';
import { Sha256 } from './sha-256.ts';

const HttpUrl = z.url({ protocol: /^https?$/ });

/**
 * The model that a Job has to fetch. The operator passes this document, without secrets, in `SIGHTLINE_FETCH`.
 * Readers ignore unknown members, because a newer operator may add some.
 */
export const FetchRequest = z.object({
  task: ClusterTask,
  name: z.string().min(1),
  source: z.object({
    starter: z.object({}).optional(),
    http: z.object({ url: HttpUrl }).optional(),
    s3: z
      .object({
        endpoint: HttpUrl,
        bucket: z.string().min(1),
        key: z.string().min(1),
        region: z.string().default('us-east-1'),
        virtualHosts: z.boolean().default(false),
      })
      .optional(),
    claim: z.object({ path: z.string().default('.') }).optional(),
    store: z.object({}).optional(),
    sha256: Sha256.optional(),
    sizeBytes: z.int().positive().optional(),
  }),
  revision: Sha256.optional(),
  /** The path of the folder with the source's credentials. */
  credentials: z.string().optional(),
  /** The path of a file with certificates to trust in addition to the system's. */
  authority: z.string().optional(),
  /** The path at which the source's PersistentVolumeClaim is mounted. */
  folder: z.string().optional(),
});
export type FetchRequest = z.infer<typeof FetchRequest>;
/** The request before parsing, in which members with a default may be absent. */
export type WrittenFetchRequest = z.input<typeof FetchRequest>;
