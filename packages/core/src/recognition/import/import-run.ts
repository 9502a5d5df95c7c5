import type { Detection } from '../../detections/detection.ts';
import type { NewIdentity } from '../../identities/identity.ts';
import type { DetectionBelongings } from '../../library/library-image.ts';
import type { SourceImage } from '../../sources/source-image.ts';
import type { FileContent, FoundRendition, StorableRun } from '../run/image-run.ts';

/** An image of an archive, and its rows in the exporting installation. */
export interface ImageToImport extends Pick<
  SourceImage,
  'digest' | 'sizeBytes' | 'format' | 'width' | 'height' | 'externalRef' | 'uploadedAt' | 'takenAt'
> {
  readonly stored: FoundRendition;
  /** The file that was originally posted; null if it was not kept. */
  readonly original: FileContent | null;
  readonly detections: readonly ImportedDetection[];
}

export interface ImportedDetection
  extends
    Omit<Detection, 'id' | 'sourceImageId' | 'identityId' | 'label' | 'cropKey'>,
    DetectionBelongings<NewIdentity> {
  readonly identity: NewIdentity | null;
  readonly crop: FileContent;
}

export interface ImportRun extends StorableRun {
  /** The number of vectors that the archive has of faces that cannot have been aligned; they are not imported. */
  readonly droppedVectors: number;
  readonly faces: readonly ImportedDetection[];
  readonly objects: readonly ImportedDetection[];
}
