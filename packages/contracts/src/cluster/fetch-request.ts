import { z } from 'zod';
import { ClusterTask } from './cluster-task.ts';
import { Sha256 } from './sha-256.ts';

const HttpUrl = z.url({ protocol: /^https?$/ });

/** What a Job is to fetch: the operator writes it into `SIGHTLINE_FETCH`, without secrets. Members that a newer operator adds are passed over. */
export const FetchRequest = z.object({
  task: ClusterTask,
  /** Of the pack. */
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
  /** The revision that the pack has to have. */
  revision: Sha256.optional(),
  /** Folder with the credentials of the source. */
  credentials: z.string().optional(),
  /** File with a certificate to trust besides the usual ones. */
  authority: z.string().optional(),
  /** Where the path of a claim is. */
  folder: z.string().optional(),
});
export type FetchRequest = z.infer<typeof FetchRequest>;
/** As it is written: what has a default may be absent. */
export type WrittenFetchRequest = z.input<typeof FetchRequest>;
