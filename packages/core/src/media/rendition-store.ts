/** The record whose stored JPEG is shown smaller. */
export interface RenditionSubject {
  readonly kind: 'detection' | 'source';
  readonly id: number;
}

/** A smaller JPEG of a crop or of a source image, in an object of its own. */
export interface NewRendition {
  /** The width that was asked for, in pixels. */
  readonly width: number;
  readonly key: string;
  readonly bytes: number;
}

export interface RenditionReader {
  /** Returns the media key of a rendition; null if there is none. */
  keyOf(subject: RenditionSubject, width: number): Promise<string | null>;
}

export interface RenditionWriter {
  /**
   * Stores a rendition, unless another process has stored one of this width. Returns the key of the stored one; null if
   * the record no longer exists.
   */
  add(subject: RenditionSubject, rendition: NewRendition): Promise<string | null>;
  /** Removes the row of a rendition whose file is lost. */
  forget(subject: RenditionSubject, key: string): Promise<void>;
}
