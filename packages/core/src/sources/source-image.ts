import type { ImageFormat } from './image-format.ts';

/** An image that was detected in, stored once per environment and content. */
export interface SourceImage {
  readonly id: number;
  /** SHA-256 (hex) of the bytes that were given. */
  readonly digest: string;
  /** Of the bytes that were given. */
  readonly sizeBytes: number;
  readonly format: ImageFormat;
  /** Of the upright original, in pixels; boxes refer to it. */
  readonly width: number;
  readonly height: number;
  /** Of the stored JPEG, in pixels. */
  readonly storedWidth: number;
  readonly storedHeight: number;
  /** Of the stored JPEG. */
  readonly mediaKey: string;
  /** Of the given bytes, where they are kept (`system.keep_originals`). */
  readonly originalKey: string | null;
  readonly externalRef: string | null;
  readonly uploadedAt: Date;
}

export interface NewSourceImage extends Omit<SourceImage, 'id' | 'uploadedAt'> {
  /** Bytes of the stored JPEG. */
  readonly mediaBytes: number;
}
