import type { DetectionType } from '../detection-type.ts';
import type { Thumbnail } from './identity.ts';

export interface FoundName {
  readonly identityId: number;
  readonly type: DetectionType;
  readonly label: string;
  /** The similarity of label and text, 0 to 1. It is 1 if they only differ in case and accents. */
  readonly similarity: number;
  readonly thumbnail: Thumbnail | null;
}

export interface NameQuery {
  /** The text that `requireSearchText` returned. */
  readonly text: string;
  /** Both types if absent. */
  readonly type?: DetectionType | undefined;
  readonly limit: number;
}

/** Searches identities, except those that are being deleted or merged. */
export interface NameSearch {
  /**
   * Returns identities whose label contains the text or has similar words, descending by similarity, then by the bytes of
   * the label, type and id. `IdentityReader.list` with this text as `name` finds those that contain it.
   */
  find(query: NameQuery): Promise<readonly FoundName[]>;
}
