import type { ByteGate } from '../../concurrency/byte-gate.ts';
import { digestOf } from '../../media/digest-of.ts';
import { discardFiles } from '../../media/discard-files.ts';
import { mediaKey, type MediaKind } from '../../media/media-key.ts';
import type { MediaStore } from '../../media/media-store.ts';
import { elapsedSince, type Moment, now } from '../../media/moment.ts';
import { LONGEST_UNTIL_ROW_MS } from '../../media/orphan-grace.ts';
import type { FileContent, PostedFile, StorableRun } from './image-run.ts';

/** A file that a run may store: the JPEG of the image, the posted file, or the crop of a detection. */
export type FileName = 'source' | 'original' | `face ${number}` | `object ${number}`;

export interface PutFile {
  readonly key: string;
  readonly size: number;
}

/** A plan needs a file that was not stored, or that the worker may have collected as an orphan. */
export class FileNotPut extends Error {}

interface UnputFile {
  readonly kind: MediaKind;
  readonly content: FileContent;
  readonly extension: string;
}

/** The number of files of an image that are stored at the same time. */
const PUTS_AT_A_TIME = 16;

/**
 * The files of one run. They are stored before the transaction that stores their keys. Files without a row are removed
 * after the transaction.
 */
export class ImageFiles {
  readonly #media: MediaStore;
  readonly #environmentId: number;
  readonly #memory: ByteGate | undefined;
  readonly #files: ReadonlyMap<FileName, UnputFile>;
  readonly #put = new Map<FileName, PutFile & { readonly since: Moment }>();
  /** The keys of the files of detections that the run removes. */
  #removed: readonly string[] = [];
  /** The old keys of files that were stored again. */
  readonly #outdated: string[] = [];

  /** @param memory limits the files that are read to be stored; those of requests are in memory already */
  constructor(media: MediaStore, run: StorableRun, memory?: ByteGate) {
    this.#media = media;
    this.#environmentId = run.scope.environmentId;
    this.#memory = memory;
    this.#files = new Map(filesOf(run));
  }

  /**
   * Stores the named files, unless they were stored recently.
   *
   * @throws StoreUnavailable
   */
  async put(names: Iterable<FileName>, signal?: AbortSignal): Promise<void> {
    const missing = [...names].filter((name) => this.#files.has(name) && !this.#isPut(name));
    for (let start = 0; start < missing.length; start += PUTS_AT_A_TIME) {
      const part = missing.slice(start, start + PUTS_AT_A_TIME);
      const puts = part.map((name) => this.#putOne(name, this.#files.get(name)!, signal));
      // All puts are awaited, so that none is in flight when the caller removes the files after a failure.
      for (const put of await Promise.allSettled(puts)) {
        if (put.status === 'rejected') throw put.reason;
      }
    }
  }

  /** Stores all files that any plan of the run may need. */
  putAll(signal?: AbortSignal): Promise<void> {
    return this.put(this.#files.keys(), signal);
  }

  /** @throws FileNotPut */
  get(name: FileName): PutFile {
    if (!this.#isPut(name)) throw new FileNotPut(name);
    const { key, size } = this.#put.get(name)!;
    return { key, size };
  }

  /** Notes the files of detections that the transaction removes. Those of an earlier attempt stay. */
  noteRemoved(keys: readonly string[]): void {
    this.#removed = keys;
  }

  /** Removes the files of removed detections, after the commit. */
  discardRemoved(): Promise<void> {
    return discardFiles(this.#media, this.#removed);
  }

  /**
   * Removes all stored files except the needed ones. Files that cannot be removed stay as orphans.
   */
  discardExcept(needed: ReadonlySet<FileName>): Promise<void> {
    const unneeded = [...this.#put].filter(([name]) => !needed.has(name));
    return discardFiles(this.#media, [...this.#outdated, ...unneeded.map(([, { key }]) => key)]);
  }

  async #putOne(name: FileName, file: UnputFile, signal?: AbortSignal): Promise<void> {
    const { kind, content, extension } = file;
    const isRead = content instanceof Uint8Array;
    using _held = isRead ? null : await this.#memory?.hold(content.size);
    const bytes = isRead ? content : await content.read();
    const key = mediaKey(this.#environmentId, kind, { digest: digestOf(bytes), extension });
    const before = this.#put.get(name);
    if (before !== undefined) this.#outdated.push(before.key);
    this.#put.set(name, { key, size: bytes.byteLength, since: now() });
    await this.#media.put(key, bytes, signal);
  }

  #isPut(name: FileName): boolean {
    const file = this.#put.get(name);
    return file !== undefined && elapsedSince(file.since) <= LONGEST_UNTIL_ROW_MS;
  }
}

function* filesOf({ posted, faces, objects }: StorableRun): Generator<[FileName, UnputFile]> {
  if (posted !== null) yield* filesOfPosted(posted);
  for (const [i, { crop }] of (faces ?? []).entries()) yield [`face ${i}`, jpeg('crops', crop)];
  for (const [i, { crop }] of (objects ?? []).entries()) yield [`object ${i}`, jpeg('crops', crop)];
}

function* filesOfPosted({
  original,
  image,
  rendition,
}: PostedFile): Generator<[FileName, UnputFile]> {
  yield ['source', jpeg('sources', rendition.jpeg)];
  if (original !== null) {
    yield ['original', { kind: 'originals', content: original, extension: image.format }];
  }
}

function jpeg(kind: MediaKind, content: FileContent): UnputFile {
  return { kind, content, extension: 'jpg' };
}
