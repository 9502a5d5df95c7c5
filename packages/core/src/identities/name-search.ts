import type { DetectionType } from '../detection-type.ts';
import type { Thumbnail } from './identity.ts';

/** An identity that a name search found. */
export interface FoundName {
  readonly identityId: number;
  readonly type: DetectionType;
  readonly label: string;
  /** How well the label fits, 0 to 1; 1 if it equals the text but for case and accents. */
  readonly similarity: number;
  readonly thumbnail: Thumbnail | null;
}

export interface NameQuery {
  /** The text that `requireSearchText` returned. */
  readonly text: string;
  /** Absent: both. */
  readonly type?: DetectionType | undefined;
  /** Maximum number of names. */
  readonly limit: number;
}

/** Does not find identities that are being deleted or merged. */
export interface NameSearch {
  /**
   * The names that contain the text or have words near it: the best first, equal ones by label as
   * bytes, then by type and id. These are the identities that a list filtered by this name has.
   */
  find(query: NameQuery): Promise<readonly FoundName[]>;
}
