import type { Stores } from '../database/database.ts';
import type { LibraryImage } from '../library/library-image.ts';
import type { MediaStore } from '../media/media-store.ts';
import { type ArchivedIdentities, archivedPart } from './archived-part.ts';
import type { ArchiveRoom } from './archive-limits.ts';
import { filesOf, readFiles, type ReadLibraryFile } from './library-files.ts';
import { workAhead } from '../concurrency/work-ahead.ts';

/** A part of an archive: a file of an image, or a page of images. The files of a page's images come before the page. */
export type PagePart =
  | { readonly part: 'file'; readonly file: ReadLibraryFile }
  | {
      readonly part: 'page';
      readonly images: readonly LibraryImage[];
      /** The number of requested images, including those that have been deleted. */
      readonly requested: number;
      /** The number of images with a missing or damaged file, and of images that an import would refuse. */
      readonly excluded: number;
    };

/** Runs a read in its own transaction. */
export type Read = <T>(work: (stores: Stores) => Promise<T>) => Promise<T>;

export interface PageDeps {
  readonly read: Read;
  readonly media: Pick<MediaStore, 'open'>;
  readonly archived: ArchivedIdentities;
  readonly room: ArchiveRoom;
  /** Called with each image that is not exported, because a file is missing or damaged, or the archive has no room. */
  readonly excluded: (image: LibraryImage['source']) => void;
}

/**
 * `most`: the most bytes of files that are read ahead of the caller. `least`: the bytes for which a smaller image
 * counts, so that at most eight images are read ahead.
 */
const AHEAD = { most: 8 * 1024 ** 2, least: 1024 ** 2 };
/** How often an image is read at most, if one of its files is missing. */
const ATTEMPTS = 4;

/**
 * Yields the images with these ids and their files, as fast as the caller takes the parts.
 *
 * @throws StoreUnavailable; the signal's reason on abort
 */
export async function* exportPage(
  deps: PageDeps,
  ids: readonly number[],
  signal?: AbortSignal,
): AsyncGenerator<PagePart> {
  const images: LibraryImage[] = [];
  let excluded = 0;
  const weigh = (image: LibraryImage) => Math.max(bytesOf(image), AHEAD.least);
  const ahead = workAhead(await readImages(deps, ids), { weigh, most: AHEAD.most }, (image) =>
    readWhole(deps, image, signal),
  );
  for await (const whole of ahead) {
    if (whole === 'excluded') excluded += 1;
    if (typeof whole === 'string') continue;
    for (const file of whole.files) yield { part: 'file', file };
    images.push(whole.image);
  }
  yield { part: 'page', images, requested: ids.length, excluded };
}

async function readImages(
  { read, archived }: PageDeps,
  ids: readonly number[],
): Promise<readonly LibraryImage[]> {
  const images = await read(({ library }) => library.images(ids));
  return images.flatMap((image) => archivedPart(image, archived) ?? []);
}

interface WholeImage {
  readonly image: LibraryImage;
  readonly files: readonly ReadLibraryFile[];
}

/**
 * Reads an image with its files. If a file is missing, the image is read again, because a request may have deleted the
 * image or replaced its detections, which deletes files.
 */
async function readWhole(
  deps: PageDeps,
  first: LibraryImage,
  signal: AbortSignal | undefined,
): Promise<WholeImage | 'deleted' | 'excluded'> {
  let image = first;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (!deps.room.take(image)) break;
    const files = await readFiles(deps.media, image, signal);
    if (files !== null) return { image, files };
    const [again] = await readImages(deps, [image.source.id]);
    if (again === undefined) return 'deleted';
    if (keysOf(again) === keysOf(image)) break;
    image = again;
  }
  deps.excluded(image.source);
  return 'excluded';
}

function keysOf(image: LibraryImage): string {
  return filesOf(image)
    .map(({ key }) => key)
    .join();
}

function bytesOf(image: LibraryImage): number {
  return filesOf(image).reduce((sum, { size }) => sum + size, 0);
}
