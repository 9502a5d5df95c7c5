import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { onCache } from './cache-unusable.ts';
import type { ModelFile } from './model-file.ts';
import { SourceFailed } from './source-failed.ts';

export interface VerifiedWrite {
  readonly file: ModelFile;
  /** Where nothing is yet. */
  readonly path: string;
  /** The cache that the path is in, for what is said of a failure. */
  readonly cache: string;
  /** Told how many bytes there are so far. */
  readonly onBytes: (received: number) => void;
}

/**
 * Writes bytes while they come, and forces them to disk, if they are those of the file. It reads no
 * further than one chunk past the file's size. What was written of other bytes stays for the caller
 * to remove.
 *
 * @throws SourceFailed if they are other bytes; CacheUnusable; what the chunks throw
 */
export async function writeVerified(
  chunks: AsyncIterable<Uint8Array>,
  { file, path, cache, onBytes }: VerifiedWrite,
): Promise<void> {
  await using handle = await onCache(cache, () => open(path, 'wx', 0o644));
  const hash = createHash('sha256');
  let received = 0;
  for await (const chunk of chunks) {
    received += chunk.length;
    if (received > file.bytes) throw new SourceFailed(`gave more than ${file.bytes} bytes`);
    hash.update(chunk);
    await onCache(cache, () => handle.appendFile(chunk));
    onBytes(received);
  }
  requireSame({ file, received, hash });
  await onCache(cache, () => handle.sync());
}

function requireSame({
  file,
  received,
  hash,
}: {
  readonly file: ModelFile;
  readonly received: number;
  readonly hash: Hash;
}): void {
  if (received < file.bytes) {
    throw new SourceFailed(`gave ${received} bytes instead of ${file.bytes}`);
  }
  const digest = hash.digest('hex');
  if (digest !== file.sha256) throw new SourceFailed(`gave other bytes (sha256 ${digest})`);
}

/** Whether a file is there and has these bytes; one that cannot be read counts as absent. */
export async function holdsFile(path: string, file: ModelFile): Promise<boolean> {
  try {
    await using handle = await open(path, 'r');
    return (await handle.stat()).size === file.bytes && (await digestOf(handle)) === file.sha256;
  } catch {
    return false;
  }
}

async function digestOf(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of handle.createReadStream({ autoClose: false })) {
    hash.update(chunk as Buffer);
  }
  return hash.digest('hex');
}
