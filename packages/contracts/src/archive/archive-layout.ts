/** The version of the layout of archives; docs/archive.md describes it. */
export const ARCHIVE_VERSION = 1;

/** The files that an archive has once. */
export const HEAD_ENTRY = 'sightline.json';
export const IDENTITIES_ENTRY = 'identities.jsonl';
export const MODELS_ENTRY = 'models.jsonl';

/** The files of a page; pages count from 1 without a gap. */
export function pageEntries(page: number): { readonly images: string; readonly vectors: string } {
  const folder = `pages/${String(page).padStart(6, '0')}`;
  return { images: `${folder}/images.jsonl`, vectors: `${folder}/vectors.f32` };
}

/** The stored JPEG of an image. */
export function imageEntry(image: number): string {
  return `images/${image}.jpg`;
}

/** The posted file, with the extension under which it is kept. */
export function originalEntry(image: number, extension: string): string {
  return `originals/${image}.${extension}`;
}

export function cropEntry(detection: number): string {
  return `crops/${detection}.jpg`;
}
