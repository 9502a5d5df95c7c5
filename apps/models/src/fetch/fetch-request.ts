import type { ModelTask } from '@sightline/core/models/model';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { z } from 'zod';

/** As the custom resources of a cluster name the tasks. */
const TASKS = { Face: 'face', Object: 'object', OpenVocabulary: 'open_vocabulary' } as const;

const SHA256 = z.string().regex(/^[0-9a-f]{64}$/, 'is no SHA-256');

/** What the operator writes; members that a newer one adds are passed over. */
const FETCH_REQUEST = z.object({
  task: z.enum(Object.keys(TASKS) as (keyof typeof TASKS)[]),
  /** Of the pack. */
  name: z.string().min(1),
  source: z.object({
    starter: z.object({}).optional(),
    http: z.object({ url: z.url({ protocol: /^https?$/ }) }).optional(),
    s3: z
      .object({
        endpoint: z.url({ protocol: /^https?$/ }),
        bucket: z.string().min(1),
        key: z.string().min(1),
        region: z.string().default('us-east-1'),
        virtualHosts: z.boolean().default(false),
      })
      .optional(),
    claim: z.object({ path: z.string().default('.') }).optional(),
    store: z.object({}).optional(),
    sha256: SHA256.optional(),
    sizeBytes: z.int().positive().optional(),
  }),
  /** The revision that the pack has to have. */
  revision: SHA256.optional(),
  /** Folder with the credentials of the source. */
  credentials: z.string().optional(),
  /** File with a certificate to trust besides the usual ones. */
  authority: z.string().optional(),
  /** Where the path of a claim is. */
  folder: z.string().optional(),
});

export type FetchRequest = z.infer<typeof FETCH_REQUEST>;

/** @throws StartError for a text that is no request */
export function parseFetchRequest(text: string | null): FetchRequest {
  if (text === null)
    throw new StartError('Set SIGHTLINE_FETCH to the model that is to be fetched.');
  const parsed = FETCH_REQUEST.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  const [{ path, message }] = parsed.error.issues as [z.core.$ZodIssue];
  throw new StartError(`SIGHTLINE_FETCH is not understood: ${path.join('.')}: ${message}.`);
}

export function taskOf({ task }: Pick<FetchRequest, 'task'>): ModelTask {
  return TASKS[task];
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new StartError('SIGHTLINE_FETCH is not JSON.');
  }
}
