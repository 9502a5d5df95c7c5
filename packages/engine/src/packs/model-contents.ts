import type { ModelPack } from './manifest.ts';
import { packFiles } from './pack-files.ts';

/**
 * The bytes of checked model files by their SHA-256 (hex). Each file is read and hashed once and
 * shared with worker threads, because a structured clone maps the same memory. The files are not
 * read from the disk again, so a change on the disk after the check has no effect.
 */
export type ModelContents = Map<string, Uint8Array<SharedArrayBuffer>>;

/**
 * The maximum number of bytes that are kept in memory. A models folder may have many packs, but at most two are used.
 */
const MAX_KEPT_BYTES = 512 * 1024 * 1024;

/**
 * Keeps a file's bytes in memory unless the limit is reached. A file beyond the limit is read again when its model is
 * loaded.
 */
export function keepContents(
  contents: ModelContents,
  { sha256, bytes }: { readonly sha256: string; readonly bytes: Uint8Array<SharedArrayBuffer> },
): void {
  let kept = bytes.byteLength;
  for (const each of contents.values()) kept += each.byteLength;
  if (kept <= MAX_KEPT_BYTES) contents.set(sha256, bytes);
}

export function keepOnly(contents: ModelContents, packs: readonly (ModelPack | null)[]): void {
  const used = new Set(
    packs.flatMap((pack) => (pack ? packFiles(pack.manifest).map(({ sha256 }) => sha256) : [])),
  );
  for (const sha256 of contents.keys()) if (!used.has(sha256)) contents.delete(sha256);
}
