import type { LocalFile } from '../media/local-file.ts';
import type { MediaObject } from '../media/media-store.ts';
import { StoreUnavailable } from '../store/store-errors.ts';

/** More than any manifest has: what claims to be longer is not read. */
const MAX_MANIFEST_BYTES = 1024 ** 2;
const SHA256 = /^[0-9a-f]{64}$/;

/** `files` have the name of their SHA-256, `manifests` that of their revision. */
export type PackPart = 'files' | 'manifests';

/** Something that lies in a store of packs. */
export interface PackEntry {
  readonly digest: string;
  /** Since it was put last, by the store's clock, in ms. */
  readonly ageMs: number;
}

/**
 * Downloaded model packs, where every process of the installation that runs models can get them: files by
 * their SHA-256, and a manifest for each revision, which is put last. So a pack whose manifest is there is
 * whole. Putting what is there replaces it. Several processes may use a store at the same time.
 *
 * Digests and revisions are 64 lower-case hex digits, anything else is a RangeError. A store keeps the bytes
 * that it is given: readers compare them with the digest.
 *
 * Every method throws StoreUnavailable if the store fails, and the signal's reason on abort.
 */
export interface PackStore {
  hasFile(sha256: string, signal?: AbortSignal): Promise<boolean>;

  /**
   * Stores a copy of a local file, whole or not at all; when this settles, it survives a crash.
   *
   * @throws StoreUnavailable also if there is no space; the errors of the file
   */
  putFile(sha256: string, file: LocalFile, signal?: AbortSignal): Promise<void>;

  /** Opens a file for reading; null if there is none. Reading the body fails like this method does. */
  openFile(sha256: string, signal?: AbortSignal): Promise<MediaObject | null>;

  /** Stores the text of a manifest.json, after all files that it names. */
  putManifest(revision: string, manifest: string, signal?: AbortSignal): Promise<void>;

  /** The text of a manifest.json; null if the pack is not there. */
  readManifest(revision: string, signal?: AbortSignal): Promise<string | null>;

  /** The revisions of all packs that are there, in no particular order. */
  list(signal?: AbortSignal): AsyncIterable<string>;

  /** All files, or all manifests, in no particular order; what is changed meanwhile may be left out. */
  entries(kind: PackPart, signal?: AbortSignal): AsyncIterable<PackEntry>;

  /** The age of a file or a manifest at this moment, as `entries` has it; null if it is not there. */
  ageOf(kind: PackPart, digest: string, signal?: AbortSignal): Promise<number | null>;

  /** Removes a file or a manifest, if it is there. */
  remove(kind: PackPart, digest: string, signal?: AbortSignal): Promise<void>;
}

/**
 * Reads an opened manifest. For adapters.
 *
 * @throws StoreUnavailable if it is longer than any manifest; the errors of the body
 */
export async function readManifestOf(opened: MediaObject | null): Promise<string | null> {
  if (opened === null) return null;
  if (opened.size > MAX_MANIFEST_BYTES) {
    await opened.body.cancel();
    throw new StoreUnavailable('A manifest in the store of models is too long to be one.');
  }
  return Buffer.concat(await Array.fromAsync(opened.body)).toString('utf8');
}

/** Whether a text is a SHA-256 (hex); such a text is safe as the name of a file. */
export function isSha256(text: string): boolean {
  return SHA256.test(text);
}

/** The key of a file in a store. @throws RangeError */
export function packFileKey(sha256: string): string {
  requireSha256(sha256);
  return `files/${sha256}`;
}

/** The key of a manifest in a store. @throws RangeError */
export function packManifestKey(revision: string): string {
  requireSha256(revision);
  return `manifests/${revision}.json`;
}

/** The key of a file or a manifest in a store. @throws RangeError */
export function packKey(kind: PackPart, digest: string): string {
  return kind === 'files' ? packFileKey(digest) : packManifestKey(digest);
}

/** The digest of the file, or the revision of the manifest, that has this key; null for another key. */
export function digestOfKey(kind: PackPart, key: string): string | null {
  const pattern = kind === 'files' ? /^files\/([^/]+)$/ : /^manifests\/([^/]+)\.json$/;
  const [, digest = ''] = pattern.exec(key) ?? [];
  return isSha256(digest) ? digest : null;
}

function requireSha256(text: string): void {
  if (!isSha256(text)) throw new RangeError('That is not a SHA-256.');
}
