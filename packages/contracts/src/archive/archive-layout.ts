/** The version of the layout of archives; docs/archive.md describes it. */
export const ARCHIVE_VERSION = 1;

/** The names of files that occur once in an archive. */
export const HEAD_ENTRY = 'sightline.json';
export const IDENTITIES_ENTRY = 'identities.jsonl';
export const MODELS_ENTRY = 'models.jsonl';

/** The names of a page's files. Pages are numbered from 1 without gaps. */
export function pageEntries(page: number): { readonly images: string; readonly vectors: string } {
  const folder = `pages/${String(page).padStart(6, '0')}`;
  return { images: `${folder}/images.jsonl`, vectors: `${folder}/vectors.f32` };
}

export function imageEntry(image: number): string {
  return `images/${image}.jpg`;
}

export function originalEntry(image: number, extension: string): string {
  return `originals/${image}.${extension}`;
}

export function cropEntry(detection: number): string {
  return `crops/${detection}.jpg`;
}
