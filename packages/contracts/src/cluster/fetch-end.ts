import { z } from 'zod';

/** A model that is in the store of models now, as the status of an `InferenceModel` describes it. Members that a newer program adds are passed over. */
export const FetchedPack = z.object({
  name: z.string(),
  version: z.string(),
  revision: z.string(),
  /** Of the published file; absent if it is none, or several. */
  sha256: z.string().optional(),
  /** Of what was published, in bytes; absent if nothing was fetched. */
  sizeBytes: z.number().optional(),
  license: z.string(),
  /** Absent if it is not known. */
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

/** Why a program of a pod has ended, in its termination message. The reason is one of a status, such as `DigestMismatch`. */
export const EndedBy = z.object({ reason: z.string(), message: z.string() });
export type EndedBy = z.infer<typeof EndedBy>;

/** How a fetch has succeeded, in its termination message. A program of an older release may tell less. */
export const Fetched = z.object({ pack: FetchedPack.partial().required({ revision: true }) });

/** How far a fetch is, at `/fetch` of its operations port, in bytes; null: the source does not say how many there are. */
export const FetchProgress = z.object({
  bytes: z.int(),
  totalBytes: z.int().nullable().catch(null),
});
export type FetchProgress = z.infer<typeof FetchProgress>;
