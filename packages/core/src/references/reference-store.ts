import type { Page } from '../store/page.ts';
import type { NewReference, Reference, ReferenceLink } from './reference.ts';

export interface ReferenceFilter {
  readonly identityId?: number;
  readonly modelId?: number;
}

export interface ReferenceReader {
  byId(id: number): Promise<Reference | null>;
  /** Newest first; a limit of null takes all. `before` is the last id of the previous page. */
  list(
    filter: ReferenceFilter,
    page: { readonly before: number | null; readonly limit: number | null },
  ): Promise<Page<Reference>>;
  /** The references made from these detections, of all models, ascending by id. */
  ofDetections(detectionIds: readonly number[]): Promise<readonly ReferenceLink[]>;
}

/** Needs the locks of the identities, exclusive: their means change. */
export interface ReferenceWriter {
  /**
   * Enrolls faces that have an embedding of the model; answers the references in the same order. A
   * face that is already enrolled under that identity keeps its reference.
   */
  enroll(faces: readonly NewReference[]): Promise<readonly ReferenceLink[]>;
  /** Removes references. */
  revoke(references: readonly ReferenceLink[]): Promise<void>;
}
