import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { onCache } from './cache-unusable.ts';
import type { ModelFile } from './model-file.ts';
import { SourceFailed } from './source-failed.ts';

export interface VerifiedWrite {
  readonly file: ModelFile;
  /** The path of the new file. */
  readonly path: string;
  /** The cache that contains the path, for error messages. */
  readonly cache: string;
  /** Called after each chunk with the number of bytes so far. */
  readonly onBytes: (received: number) => void;
}

/**
 * Writes a stream of bytes into a file, and syncs the file to disk if its digest matches. Reads at most one chunk beyond
 * the expected size. If the digest does not match, the caller must delete the file.
 *
 * @throws SourceFailed if the bytes do not match; CacheUnusable; errors of the stream
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
    if (received > file.bytes) throw new SourceFailed(`provided more than ${file.bytes} bytes`);
    hash.update(chunk);
    await onCache(cache, () => handle.appendFile(chunk));
    onBytes(received);
  }
  verify({ file, received, hash });
  await onCache(cache, () => handle.sync());
}

function verify({
  file,
  received,
  hash,
}: {
  readonly file: ModelFile;
  readonly received: number;
  readonly hash: Hash;
}): void {
  if (received < file.bytes) {
    throw new SourceFailed(`provided ${received} bytes instead of ${file.bytes}`);
  }
  const digest = hash.digest('hex');
  if (digest !== file.sha256)
    throw new SourceFailed(`provided a file with another digest (sha256 ${digest})`);
}

/** Whether a file exists and has the expected digest. An unreadable file counts as missing. */
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
