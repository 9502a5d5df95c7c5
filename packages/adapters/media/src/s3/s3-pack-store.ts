import type { LocalFile } from '@sightline/core/media/local-file';
import type { MediaObject } from '@sightline/core/media/media-store';
import {
  digestOfKey,
  type PackEntry,
  packFileKey,
  packKey,
  packManifestKey,
  type PackPart,
  type PackStore,
  readManifestOf,
} from '@sightline/core/models/pack-store';
import { inPackFolder, PACK_PREFIX } from './pack-keys.ts';
import { asBuffer, PART_BYTES, partsOfFile, putInParts } from './put-in-parts.ts';
import { S3Connection } from './s3-connection.ts';
import { failureOf } from './s3-error.ts';
import { getObject, listPage, type ObjectPage, putObject, wholeSize } from './s3-objects.ts';
import type { S3Options } from './s3-options.ts';
import { streamResponse } from './stream-response.ts';

/** The most objects that S3 lists in one request. */
const PAGE = 1000;
/**
 * The error codes for an object that does not exist. For a HEAD request, the store cannot send a body, so the SDK
 * reports only `NotFound`.
 */
const ABSENT = new Set(['NoSuchKey', 'NotFound']);

/**
 * Stores model packs in the installation's bucket, below `models/`. The media store ignores them, because no media key
 * starts with that prefix. The bucket must exist.
 */
export class S3PackStore implements PackStore, Disposable {
  readonly #connection: S3Connection;

  constructor(options: S3Options) {
    this.#connection = new S3Connection(options);
  }

  async hasFile(sha256: string, signal?: AbortSignal): Promise<boolean> {
    return (await this.ageOf('files', sha256, signal)) !== null;
  }

  async putFile(sha256: string, file: LocalFile, signal?: AbortSignal): Promise<void> {
    const key = inPackFolder(packFileKey(sha256));
    signal?.throwIfAborted();
    if (file.size > PART_BYTES) {
      await putInParts(this.#connection, { key, parts: partsOfFile(file) }, signal);
    } else {
      const bytes = await file.read({ offset: 0, size: file.size });
      await putObject(this.#connection, { key, body: asBuffer(bytes) }, signal);
    }
  }

  async openFile(sha256: string, signal?: AbortSignal): Promise<MediaObject | null> {
    return this.#open(packFileKey(sha256), signal);
  }

  async putManifest(revision: string, manifest: string, signal?: AbortSignal): Promise<void> {
    const key = inPackFolder(packManifestKey(revision));
    await putObject(this.#connection, { key, body: Buffer.from(manifest) }, signal);
  }

  async readManifest(revision: string, signal?: AbortSignal): Promise<string | null> {
    return readManifestOf(await this.#open(packManifestKey(revision), signal));
  }

  async *list(signal?: AbortSignal): AsyncIterable<string> {
    for await (const { digest } of this.entries('manifests', signal)) yield digest;
  }

  async *entries(kind: PackPart, signal?: AbortSignal): AsyncIterable<PackEntry> {
    const prefix = inPackFolder(`${kind}/`);
    for (let token: string | null = ''; token !== null;) {
      const page: ObjectPage = await listPage(
        this.#connection,
        { prefix, token, size: PAGE },
        signal,
      );
      for (const { key, ageMs } of page.entries) {
        signal?.throwIfAborted();
        const digest = digestOfKey(kind, key.slice(PACK_PREFIX.length));
        if (digest !== null) yield { digest, ageMs };
      }
      token = page.next;
    }
  }

  async ageOf(kind: PackPart, digest: string, signal?: AbortSignal): Promise<number | null> {
    const { bucket, clock } = this.#connection;
    const key = inPackFolder(packKey(kind, digest));
    try {
      const found = await this.#connection.call((client) => client.statObject(bucket, key), signal);
      return clock.ageOf(found.lastModified);
    } catch (error) {
      if (ABSENT.has(failureOf(error) ?? '')) return null;
      throw error;
    }
  }

  async remove(kind: PackPart, digest: string, signal?: AbortSignal): Promise<void> {
    const { bucket } = this.#connection;
    const key = inPackFolder(packKey(kind, digest));
    await this.#connection.call((client) => client.removeObject(bucket, key), signal);
  }

  [Symbol.dispose](): void {
    this.#connection[Symbol.dispose]();
  }

  async #open(key: string, signal?: AbortSignal): Promise<MediaObject | null> {
    const response = await getObject(this.#connection, { key: inPackFolder(key) }, signal);
    if (response === null) return null;
    const size = wholeSize(response);
    return { size, body: streamResponse(response, this.#connection, signal) };
  }
}
