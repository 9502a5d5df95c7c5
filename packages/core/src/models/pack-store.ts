import type { LocalFile } from '../media/local-file.ts';
import type { MediaObject } from '../media/media-store.ts';
import { StoreUnavailable } from '../store/store-errors.ts';

/** The size limit of a manifest. Real manifests are much smaller. */
const MAX_MANIFEST_BYTES = 1024 ** 2;
const SHA256 = /^[0-9a-f]{64}$/;

/** A store names each of its `files` by SHA-256, and each of its `manifests` by the revision of the pack. */
export type PackPart = 'files' | 'manifests';

export interface PackEntry {
  readonly digest: string;
  /** The time since the last put, by the store's clock, in ms. */
  readonly ageMs: number;
}

/**
 * Stores downloaded model packs for all inference processes of the installation. A pack consists of files and one
 * manifest. The manifest is put last, so a pack with a manifest is complete. A put replaces an existing file or
 * manifest. Several processes may use a store at the same time.
 *
 * Digests and revisions are 64 lower-case hex digits; other values cause a RangeError. A store does not check digests,
 * so readers have to compare the bytes with the digest.
 *
 * All methods throw StoreUnavailable if the store fails, and the signal's reason on abort.
 */
export interface PackStore {
  hasFile(sha256: string, signal?: AbortSignal): Promise<boolean>;

  /**
   * Stores a copy of a local file atomically. Once the promise resolves, the copy survives a crash.
   *
   * @throws StoreUnavailable also if the store is full; the errors of the file
   */
  putFile(sha256: string, file: LocalFile, signal?: AbortSignal): Promise<void>;

  /** Opens a file for reading; null if the store does not have the file. The body throws the errors of this method. */
  openFile(sha256: string, signal?: AbortSignal): Promise<MediaObject | null>;

  /** Stores the text of a manifest.json. The caller has put all files that the manifest names. */
  putManifest(revision: string, manifest: string, signal?: AbortSignal): Promise<void>;

  /** The text of a manifest.json; null if the store does not have the pack. */
  readManifest(revision: string, signal?: AbortSignal): Promise<string | null>;

  /** The revisions of all complete packs, in no particular order. */
  list(signal?: AbortSignal): AsyncIterable<string>;

  /** All files, or all manifests, in no particular order. Entries that change during the iteration may be missing. */
  entries(kind: PackPart, signal?: AbortSignal): AsyncIterable<PackEntry>;

  /** The current age of a file or a manifest, in ms since the last put; null if the store does not have it. */
  ageOf(kind: PackPart, digest: string, signal?: AbortSignal): Promise<number | null>;

  /** Removes a file or a manifest, if the store has it. */
  remove(kind: PackPart, digest: string, signal?: AbortSignal): Promise<void>;
}

/**
 * Reads an opened manifest. For adapters.
 *
 * @throws StoreUnavailable if the manifest exceeds the size limit; the errors of the body
 */
export async function readManifestOf(opened: MediaObject | null): Promise<string | null> {
  if (opened === null) return null;
  if (opened.size > MAX_MANIFEST_BYTES) {
    await opened.body.cancel();
    throw new StoreUnavailable('A manifest in the model store is larger than 1 MiB.');
  }
  return Buffer.concat(await Array.fromAsync(opened.body)).toString('utf8');
}

/** Whether a text is a SHA-256 (64 lower-case hex digits), and therefore safe as a file name. */
export function isSha256(text: string): boolean {
  return SHA256.test(text);
}

/** @throws RangeError if the text is no SHA-256 */
export function packFileKey(sha256: string): string {
  requireSha256(sha256);
  return `files/${sha256}`;
}

/** @throws RangeError if the text is no SHA-256 */
export function packManifestKey(revision: string): string {
  requireSha256(revision);
  return `manifests/${revision}.json`;
}

/** @throws RangeError if the text is no SHA-256 */
export function packKey(kind: PackPart, digest: string): string {
  return kind === 'files' ? packFileKey(digest) : packManifestKey(digest);
}

/** Parses the key of a file or a manifest. Returns the SHA-256 or the revision; null for any other key. */
export function digestOfKey(kind: PackPart, key: string): string | null {
  const pattern = kind === 'files' ? /^files\/([^/]+)$/ : /^manifests\/([^/]+)\.json$/;
  const [, digest = ''] = pattern.exec(key) ?? [];
  return isSha256(digest) ? digest : null;
}

function requireSha256(text: string): void {
  if (!isSha256(text)) throw new RangeError('A SHA-256 has 64 lower-case hex digits.');
}
