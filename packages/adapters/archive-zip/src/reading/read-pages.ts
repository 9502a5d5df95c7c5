import { pageEntries } from '@sightline/contracts/archive/archive-layout';
import { ArchivedContinuation } from '@sightline/contracts/archive/archived-continuation';
import { ArchivedImage } from '@sightline/contracts/archive/archived-image';
import { ArchiveInvalid } from '@sightline/core/transfer/archive-errors';
import { ARCHIVE_LIMITS } from '@sightline/core/transfer/archive-limits';
import type { z } from 'zod';
import type { ArchiveEntries } from './archive-entries.ts';
import { PageVectors } from './page-vectors.ts';

export type ImageRecord = z.output<typeof ArchivedImage>;
type Continuation = z.output<typeof ArchivedContinuation>;
export type DetectionRecord = ImageRecord['detections'][number];

/** The record of an image, and the file with the embeddings of its page. */
export interface PageImage {
  readonly record: ImageRecord;
  readonly vectors: PageVectors;
  /** The name of the file that contains the record, for error messages. */
  readonly entry: string;
}

const FILES_OF_PAGE = 2;

/** @throws ArchiveInvalid if a page lacks a file, or if a file belongs to no page */
export function countPages(entries: ArchiveEntries): number {
  let pages = 0;
  while (entries.has(pageEntries(pages + 1).images)) pages += 1;
  const files = entries.count('pages/');
  for (let page = 1; page <= pages; page += 1) entries.get(pageEntries(page).vectors);
  if (files === pages * FILES_OF_PAGE) return pages;
  throw new ArchiveInvalid('pages/', 'has files that belong to no page');
}

/** @throws ArchiveInvalid if a line does not match the schema, or does not continue the image before it */
export async function* readPage(entries: ArchiveEntries, page: number): AsyncGenerator<PageImage> {
  const names = pageEntries(page);
  const vectors = new PageVectors(entries, names.vectors);
  for await (const record of readImages(entries, names.images)) {
    yield { record, vectors, entry: names.images };
  }
}

/** The image records. A record may be spread over several lines. */
async function* readImages(entries: ArchiveEntries, entry: string): AsyncGenerator<ImageRecord> {
  let image: ImageInLines | null = null;
  for await (const line of entries.lines(entry, schemaOf)) {
    if (!('continues' in line)) {
      if (image !== null) yield image.record;
      image = new ImageInLines(line);
      continue;
    }
    const problem = image === null ? 'is continued without its first line' : image.add(line);
    if (problem === null) continue;
    throw new ArchiveInvalid(entry, `is invalid: image ${line.continues} ${problem}`);
  }
  if (image !== null) yield image.record;
}

function schemaOf(value: unknown): typeof ArchivedImage | typeof ArchivedContinuation {
  const isContinued = typeof value === 'object' && value !== null && 'continues' in value;
  return isContinued ? ArchivedContinuation : ArchivedImage;
}

class ImageInLines {
  readonly record: ImageRecord;
  #rejections: number;

  constructor(record: ImageRecord) {
    this.record = record;
    this.#rejections = rejectionsOf(record.detections);
  }

  /** @returns the reason why the line is invalid; null if it is valid */
  add({ continues, more_rejected_from, more_detections }: Continuation): string | null {
    const { image, detections } = this.record;
    const last = detections.at(-1);
    if (continues !== image) return 'is continued without its first line';
    if (more_rejected_from.length > 0 && last?.type !== 'face')
      return 'has rejections that belong to no face';
    last?.rejected_from.push(...more_rejected_from);
    detections.push(...more_detections);
    this.#rejections += more_rejected_from.length + rejectionsOf(more_detections);
    const limits = ARCHIVE_LIMITS.image;
    const isTooMuch = detections.length > limits.detections || this.#rejections > limits.rejections;
    return isTooMuch ? 'has too many detections or rejections' : null;
  }
}

function rejectionsOf(detections: readonly DetectionRecord[]): number {
  return detections.reduce((sum, { rejected_from }) => sum + rejected_from.length, 0);
}
