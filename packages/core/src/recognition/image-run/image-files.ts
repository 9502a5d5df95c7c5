import { discardFiles } from '../../media/discard-files.ts';
import { mediaKey, type MediaKind } from '../../media/media-key.ts';
import type { MediaStore } from '../../media/media-store.ts';
import { digestOf, type AnalyzedImage } from './analyzed-image.ts';
import type { JpegRendition } from '../../analysis/image-analyzer.ts';

/** A file that a run may store: the image, the bytes that were given, or the crop of a finding. */
export type FileName = 'source' | 'original' | `face ${number}` | `object ${number}`;

export interface PutFile {
  readonly key: string;
  readonly size: number;
}

/** A plan needs a file that was not put; putting it takes place outside of transactions. */
export class FileNotPut extends Error {}

interface UnputFile {
  readonly kind: MediaKind;
  readonly bytes: Uint8Array;
  readonly extension: string;
}

/**
 * The files of one run: put before the transaction that stores their keys, and removed after it if
 * nothing needed them.
 */
export class ImageFiles {
  readonly #media: MediaStore;
  readonly #environmentId: number;
  readonly #files: ReadonlyMap<FileName, UnputFile>;
  readonly #put = new Map<FileName, PutFile>();

  constructor(media: MediaStore, image: AnalyzedImage) {
    this.#media = media;
    this.#environmentId = image.scope.environmentId;
    this.#files = new Map(filesOf(image));
  }

  /**
   * Puts those of the files that were not put yet.
   *
   * @throws StoreUnavailable
   */
  async put(names: Iterable<FileName>, signal?: AbortSignal): Promise<void> {
    const missing = [...names].filter((name) => this.#files.has(name) && !this.#put.has(name));
    const puts = missing.map((name) => this.#putOne(name, this.#files.get(name)!, signal));
    // None is under way any more when this ends, so that everything can be removed again.
    for (const put of await Promise.allSettled(puts)) {
      if (put.status === 'rejected') throw put.reason;
    }
  }

  /** Puts everything that the run could need. */
  putAll(signal?: AbortSignal): Promise<void> {
    return this.put(this.#files.keys(), signal);
  }

  /** @throws FileNotPut */
  get(name: FileName): PutFile {
    const file = this.#put.get(name);
    if (file === undefined) throw new FileNotPut(name);
    return file;
  }

  /** Null if the run does not store it at all, as it is with the original bytes by default. */
  find(name: FileName): PutFile | null {
    return this.#files.has(name) ? this.get(name) : null;
  }

  /** Removes what was put but for these keys, as far as that is possible. */
  discardExcept(needed: ReadonlySet<string>): Promise<void> {
    const keys = [...this.#put.values()].map(({ key }) => key);
    return discardFiles(
      this.#media,
      keys.filter((key) => !needed.has(key)),
    );
  }

  async #putOne(name: FileName, file: UnputFile, signal?: AbortSignal): Promise<void> {
    const { kind, bytes, extension } = file;
    const key = mediaKey(this.#environmentId, kind, { digest: digestOf(bytes), extension });
    this.#put.set(name, { key, size: bytes.byteLength });
    await this.#media.put(key, bytes, signal);
  }
}

function* filesOf({ analysis, original }: AnalyzedImage): Generator<[FileName, UnputFile]> {
  yield ['source', jpeg('sources', analysis.source!)];
  if (original !== null) {
    yield ['original', { kind: 'originals', bytes: original, extension: analysis.image.format }];
  }
  for (const [i, { crop }] of (analysis.faces?.items ?? []).entries()) {
    yield [`face ${i}`, jpeg('crops', crop!)];
  }
  for (const [i, { crop }] of (analysis.objects?.items ?? []).entries()) {
    yield [`object ${i}`, jpeg('crops', crop!)];
  }
}

function jpeg(kind: MediaKind, { jpeg: bytes }: JpegRendition): UnputFile {
  return { kind, bytes, extension: 'jpg' };
}
