import type { ImageFormat } from './image-format.ts';

/** An image in which faces or objects were detected, stored once per environment and content. */
export interface SourceImage {
  readonly id: number;
  /** SHA-256 (hex) of the given bytes. */
  readonly digest: string;
  /** The length of the given bytes. */
  readonly sizeBytes: number;
  readonly format: ImageFormat;
  /** The size of the upright original in pixels; boxes refer to it. */
  readonly width: number;
  readonly height: number;
  /** The size of the stored JPEG in pixels. */
  readonly storedWidth: number;
  readonly storedHeight: number;
  /** The key of the stored JPEG. */
  readonly mediaKey: string;
  /** The key of the given bytes, if they are kept (`system.keep_originals`). */
  readonly originalKey: string | null;
  readonly externalRef: string | null;
  readonly uploadedAt: Date;
}

export interface NewSourceImage extends Omit<SourceImage, 'id' | 'uploadedAt'> {
  /** Absent: it is uploaded now. */
  readonly uploadedAt?: Date | undefined;
  /** Bytes of the stored JPEG. */
  readonly mediaBytes: number;
}

export interface CountedSource extends SourceImage {
  /** The number of detections of both types. */
  readonly detectionCount: number;
}
