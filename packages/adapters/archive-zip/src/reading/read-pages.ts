import { pageEntries } from '@sightline/contracts/archive/archive-layout';
import { ArchivedImage } from '@sightline/contracts/archive/archived-image';
import { ArchiveInvalid } from '@sightline/core/transfer/archive-errors';
import type { z } from 'zod';
import type { ArchiveEntries } from './archive-entries.ts';
import { PageVectors } from './page-vectors.ts';

export type ImageRecord = z.output<typeof ArchivedImage>;
export type DetectionRecord = ImageRecord['detections'][number];

/** A record of an image, and where the vectors of its faces are. */
export interface PageImage {
  readonly record: ImageRecord;
  readonly vectors: PageVectors;
  /** The name of the file that has the record. */
  readonly entry: string;
}

const FILES_OF_PAGE = 2;

/** @throws ArchiveInvalid for a page that lacks a file, and for files that are of no page */
export function countPages(entries: ArchiveEntries): number {
  let pages = 0;
  while (entries.has(pageEntries(pages + 1).images)) pages += 1;
  const files = entries.count('pages/');
  for (let page = 1; page <= pages; page += 1) entries.get(pageEntries(page).vectors);
  if (files === pages * FILES_OF_PAGE) return pages;
  throw new ArchiveInvalid('pages/', 'has files that are of no page');
}

/** @throws ArchiveInvalid for a line that is no such record */
export async function* readPage(entries: ArchiveEntries, page: number): AsyncGenerator<PageImage> {
  const names = pageEntries(page);
  const vectors = new PageVectors(entries, names.vectors);
  for await (const record of entries.lines(names.images, ArchivedImage)) {
    yield { record, vectors, entry: names.images };
  }
}
