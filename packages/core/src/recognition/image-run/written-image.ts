import type { Identity } from '../../identities/identity.ts';
import type { ReferenceLink } from '../../references/reference.ts';
import type { SourceImage } from '../../sources/source-image.ts';
import type { Detection } from '../../detections/detection.ts';

/** What the database has after a run, in the order in which things were found. */
export interface WrittenImage {
  readonly source: SourceImage;
  readonly faces: readonly Detection[];
  readonly objects: readonly Detection[];
  /** Made by this run. */
  readonly identities: readonly Identity[];
  readonly references: readonly ReferenceLink[];
}
