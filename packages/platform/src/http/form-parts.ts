/** The names of the fields of a form, by the content of their parts. */
export interface FormFields {
  /** The fields whose parts are files even if a part has no file name. */
  readonly files: ReadonlySet<string>;
  /** The fields whose parts are text. */
  readonly texts: ReadonlySet<string>;
  /** The text fields that contain images in base64. */
  readonly images: ReadonlySet<string>;
}

/** The values from the headers of a form's part. */
export interface PartHead {
  readonly field: string | undefined;
  readonly type: string | undefined;
  readonly filename: string | undefined;
}

/**
 * The content of a part. `named_text` is a part of a text field that has a file name, as some HTTP libraries add it to
 * every part.
 */
export type PartKind = 'file' | 'text' | 'image_text' | 'named_text';

/**
 * Decides what a part contains. The names of the fields take precedence over the headers of the part. Browsers send an
 * empty file name for a file that was not chosen.
 */
export function kindOfPart(
  { field = '', type, filename }: PartHead,
  { files, texts, images }: FormFields,
): PartKind {
  if (files.has(field)) return 'file';
  if (images.has(field)) return filename ? 'named_text' : 'image_text';
  if (texts.has(field)) return filename ? 'named_text' : 'text';
  return type === 'application/octet-stream' || filename !== undefined ? 'file' : 'text';
}
