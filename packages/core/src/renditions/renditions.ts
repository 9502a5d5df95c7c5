import type { ImageAnalyzer } from '../analysis/image-analyzer.ts';
import type { Database } from '../database/database.ts';
import { loadSettings } from '../database/load-settings.ts';
import { DomainError } from '../domain-error.ts';
import { digestOf } from '../media/digest-of.ts';
import { discardFiles } from '../media/discard-files.ts';
import { jpegSize } from '../media/jpeg-size.ts';
import { mediaKey } from '../media/media-key.ts';
import type { MediaStore } from '../media/media-store.ts';
import { readObject } from '../media/read-object.ts';
import type { Scope } from '../store/scope.ts';
import { EnvironmentSlots } from './environment-slots.ts';
import type { RenditionSubject } from '../media/rendition-store.ts';

export interface RenditionRequest {
  readonly scope: Scope;
  readonly subject: RenditionSubject;
  /** The media key of the stored JPEG. */
  readonly original: string;
  /** The width in pixels. */
  readonly width: number;
  /** The analyzer that counts the work as the caller's. */
  readonly analyzer: Pick<ImageAnalyzer, 'analyze'>;
}

/**
 * `stored`: the rendition has an object of its own. `original`: the stored JPEG is not wider. `unavailable`: no rendition
 * can be made now.
 */
export type FoundRendition =
  { readonly kind: 'stored'; readonly key: string } | { readonly kind: 'original' | 'unavailable' };

/** How many renditions of one environment a process makes at the same time. */
const AT_A_TIME = 2;
/** The longest time until a rendition is stored, in ms. */
const TIMEOUT_MS = 30_000;

/**
 * Finds renditions, and makes those that are missing. An analyzer decodes the stored JPEG, so a process without models
 * needs none of it in memory but its bytes. If two processes make the same rendition, the first stored one stays.
 */
export class Renditions {
  readonly #database: Database;
  readonly #media: MediaStore;
  readonly #slots = new EnvironmentSlots(AT_A_TIME);
  /** The renditions that are being made. All requests for one of them wait for the same work. */
  readonly #making = new Map<string, Promise<FoundRendition>>();

  constructor({ database, media }: { readonly database: Database; readonly media: MediaStore }) {
    this.#database = database;
    this.#media = media;
  }

  /** @throws StoreUnavailable; the signal's reason on abort */
  async find(request: RenditionRequest, signal: AbortSignal): Promise<FoundRendition> {
    const { scope, subject, original, width } = request;
    const key = await this.#database.withScope(
      scope,
      ({ renditions }) => renditions.keyOf(subject, width),
      signal,
    );
    if (key !== null) return { kind: 'stored', key };
    const name = `${original} ${width}`;
    const making = this.#making.get(name) ?? this.#begin(name, request);
    return untilAborted(making, signal);
  }

  /** Forgets a rendition whose file is lost, so that it is made again. @throws StoreUnavailable */
  async forget({ scope, subject }: RenditionRequest, key: string): Promise<void> {
    await this.#database.withEntities({ ...scope, locks: [] }, ({ renditions }) =>
      renditions.forget(subject, key),
    );
  }

  /** The work has a timeout instead of a caller's signal, because other callers may wait for it, too. */
  #begin(name: string, request: RenditionRequest): Promise<FoundRendition> {
    const work = () => this.#make(request, AbortSignal.timeout(TIMEOUT_MS));
    const making = this.#slots
      .run(request.scope.environmentId, work)
      .catch((error: unknown): FoundRendition => {
        // The whole JPEG serves the caller better than an error. A timeout is the reason of a signal.
        if (error instanceof DomainError || error instanceof DOMException) return UNAVAILABLE;
        throw error;
      })
      .finally(() => this.#making.delete(name));
    this.#making.set(name, making);
    return making;
  }

  async #make(request: RenditionRequest, signal: AbortSignal): Promise<FoundRendition> {
    const { scope, subject, original, width, analyzer } = request;
    const image = await readObject(this.#media, original, signal);
    if (typeof image === 'string') return UNAVAILABLE;
    const size = jpegSize(image);
    if (size === null) return UNAVAILABLE;
    if (size.width <= width) return { kind: 'original' };
    const { ingestJpegQuality, cropJpegQuality } = await loadSettings(
      this.#database,
      scope,
      signal,
    );
    const quality = subject.kind === 'source' ? ingestJpegQuality : cropJpegQuality;
    // The analyzer limits the longer side.
    const maxSize = Math.max(width, Math.round((width * size.height) / size.width));
    const { source } = await analyzer.analyze(
      {
        image,
        renditions: { source: { maxSize, quality }, crops: { padding: 0, quality } },
      },
      signal,
    );
    if (source === null) return UNAVAILABLE;
    return this.#store(request, source.jpeg, signal);
  }

  async #store(
    { scope, subject, width }: RenditionRequest,
    jpeg: Uint8Array,
    signal: AbortSignal,
  ): Promise<FoundRendition> {
    const content = { digest: digestOf(jpeg), extension: 'jpg' };
    const key = mediaKey(scope.environmentId, 'renditions', content);
    await this.#media.put(key, jpeg, signal);
    const stored = await this.#database.withEntities({ ...scope, locks: [] }, ({ renditions }) =>
      renditions.add(subject, { width, key, bytes: jpeg.length }),
    );
    if (stored !== key) await discardFiles(this.#media, [key]);
    return stored === null ? UNAVAILABLE : { kind: 'stored', key: stored };
  }
}

const UNAVAILABLE: FoundRendition = { kind: 'unavailable' };

/** @throws the signal's reason */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason as Error);
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
