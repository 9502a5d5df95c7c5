import type { Page } from '../store/page.ts';
import type { NewReference, Reference, ReferenceLink } from './reference.ts';

export interface ReferenceFilter {
  readonly identityId?: number;
  readonly modelId?: number;
}

export interface ReferenceReader {
  byId(id: number): Promise<Reference | null>;
  /** Lists references, newest first. Without a limit, all are returned. `before` is the last id of the previous page. */
  list(
    filter: ReferenceFilter,
    page: { readonly before: number | null; readonly limit: number | null },
  ): Promise<Page<Reference>>;
  /** Returns the references of these detections for all models, ascending by id. */
  ofDetections(detectionIds: readonly number[]): Promise<readonly ReferenceLink[]>;
}

/**
 * Changes references. All methods need exclusive locks of the identities, because the mean vectors of their
 * references change.
 */
export interface ReferenceWriter {
  /**
   * Enrolls faces that have an embedding of the model. Returns the references in the same order. A face that is already
   * enrolled under the identity keeps its reference.
   */
  enroll(faces: readonly NewReference[]): Promise<readonly ReferenceLink[]>;
  revoke(references: readonly ReferenceLink[]): Promise<void>;
  /** Revokes references, then enrolls faces, and writes each mean that changes once. Returns what `enroll` returns. */
  exchange(
    revoked: readonly ReferenceLink[],
    enrolled: readonly NewReference[],
  ): Promise<readonly ReferenceLink[]>;
}
