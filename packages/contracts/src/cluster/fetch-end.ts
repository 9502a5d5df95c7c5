import { z } from 'zod';

/** A model in the model store, as the status of an `InferenceModel` describes it. Readers ignore members that a newer program adds. */
export const FetchedPack = z.object({
  name: z.string(),
  version: z.string(),
  revision: z.string(),
  /** SHA-256 of the published file; absent unless the model is published as one file. */
  sha256: z.string().optional(),
  /** The size of the published files in bytes; absent if nothing was fetched. */
  sizeBytes: z.number().optional(),
  license: z.string(),
  /** Absent if unknown. */
  commercialUse: z.boolean().optional(),
  provides: z.array(z.string()),
  embeddingDimension: z.number().optional(),
  /** How many. */
  classes: z.number().optional(),
  components: z.array(z.object({ role: z.string(), file: z.string(), sha256: z.string() })),
  /** ISO 8601. */
  verifiedAt: z.string(),
});
export type FetchedPack = z.infer<typeof FetchedPack>;

/** The termination message of a program that failed. The reason is one that a status has, such as `DigestMismatch`. */
export const EndedBy = z.object({ reason: z.string(), message: z.string() });
export type EndedBy = z.infer<typeof EndedBy>;

/** The termination message of a fetch that succeeded. A program of an older release may report less. */
export const Fetched = z.object({ pack: FetchedPack.partial().required({ revision: true }) });

/** The progress of a fetch in bytes, at `/fetch` of its operations port. The total is null if the source does not report it. */
export const FetchProgress = z.object({
  bytes: z.int(),
  totalBytes: z.int().nullable().catch(null),
});
export type FetchProgress = z.infer<typeof FetchProgress>;
