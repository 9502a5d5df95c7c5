import { z } from 'zod';

/**
 * A model in the model store, as the status of an `InferenceModel` describes it. Readers ignore unknown members,
 * because a newer program may add some.
 */
export const FetchedPack = z.object({
  name: z.string(),
  version: z.string(),
  revision: z.string(),
  /** The SHA-256 of the published file; absent if the model is published as several files. */
  sha256: z.string().optional(),
  /** The size of the published files in bytes; absent if nothing was fetched. */
  sizeBytes: z.number().optional(),
  license: z.string(),
  /** Absent if it is unknown whether the license allows commercial use. */
  commercialUse: z.boolean().optional(),
  provides: z.array(z.string()),
  embeddingDimension: z.number().optional(),
  /** The number of classes. */
  classes: z.number().optional(),
  components: z.array(z.object({ role: z.string(), file: z.string(), sha256: z.string() })),
  /** A time in ISO 8601. */
  verifiedAt: z.string(),
});
export type FetchedPack = z.infer<typeof FetchedPack>;

/**
 * The termination message of a program that failed. The reason is also a reason of a status condition, such as
 * `DigestMismatch`.
 */
export const EndedBy = z.object({ reason: z.string(), message: z.string() });
export type EndedBy = z.infer<typeof EndedBy>;

/**
 * The termination message of a fetch that succeeded. Most members are optional, because a program of an older release
 * may omit some.
 */
export const Fetched = z.object({ pack: FetchedPack.partial().required({ revision: true }) });

/**
 * The progress of a fetch in bytes, served at `/fetch` of the fetching pod's operations port. The total is null if
 * the source does not report a size.
 */
export const FetchProgress = z.object({
  bytes: z.int(),
  totalBytes: z.int().nullable().catch(null),
});
export type FetchProgress = z.infer<typeof FetchProgress>;
