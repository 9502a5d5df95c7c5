import type { Detection } from '../../detections/detection.ts';
import type { NewIdentity } from '../../identities/identity.ts';
import type { DetectionBelongings } from '../../library/library-image.ts';
import type { SourceImage } from '../../sources/source-image.ts';
import type { FileContent, FoundRendition, StorableRun } from '../run/image-run.ts';

/** An image of an archive, with its rows in the installation that the archive is from. */
export interface ImageToImport extends Pick<
  SourceImage,
  'digest' | 'sizeBytes' | 'format' | 'width' | 'height' | 'externalRef' | 'uploadedAt'
> {
  /** The JPEG to store. */
  readonly stored: FoundRendition;
  /** The given bytes; null: they were not kept. */
  readonly original: FileContent | null;
  readonly detections: readonly ImportedDetection[];
}

/** A detection of an archive. */
export interface ImportedDetection
  extends
    Omit<Detection, 'id' | 'sourceImageId' | 'identityId' | 'label' | 'cropKey'>,
    DetectionBelongings<NewIdentity> {
  readonly identity: NewIdentity | null;
  readonly crop: FileContent;
}

/** An image of an archive, to be stored. */
export interface ImportRun extends StorableRun {
  readonly faces: readonly ImportedDetection[];
  readonly objects: readonly ImportedDetection[];
}
