import type { ImageFormat } from './image-format.ts';

/** A posted photo, stored once per environment and digest. */
export interface SourceImage {
  readonly id: number;
  /** SHA-256 (hex) of the posted file. */
  readonly digest: string;
  /** The size of the posted file. */
  readonly sizeBytes: number;
  readonly format: ImageFormat;
  /** The size of the upright original in pixels, to which boxes refer. */
  readonly width: number;
  readonly height: number;
  /** The size of the stored JPEG in pixels. */
  readonly storedWidth: number;
  readonly storedHeight: number;
  /** The media key of the stored JPEG. */
  readonly mediaKey: string;
  /** The media key of the posted file; null unless it is kept (`system.keep_originals`). */
  readonly originalKey: string | null;
  readonly externalRef: string | null;
  readonly uploadedAt: Date;
  /** When the photo was taken, as its EXIF data says; null if it does not. */
  readonly takenAt: Date | null;
}

export interface NewSourceImage extends Omit<SourceImage, 'id' | 'uploadedAt' | 'takenAt'> {
  readonly takenAt?: Date | null;
  /** The default is the current time. */
  readonly uploadedAt?: Date | undefined;
  /** The size of the stored JPEG. */
  readonly mediaBytes: number;
}

export interface CountedSource extends SourceImage {
  /** The number of detected faces and objects. */
  readonly detectionCount: number;
}
