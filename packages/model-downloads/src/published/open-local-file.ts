import { open } from 'node:fs/promises';
import type { LocalFile } from '@sightline/core/media/local-file';

/** Opens a local file. @throws the system's errors */
export async function openLocalFile(path: string): Promise<LocalFile & AsyncDisposable> {
  const handle = await open(path, 'r');
  const { size } = await handle.stat();
  return {
    size,
    async read(range) {
      const bytes = new Uint8Array(range.size);
      for (let at = 0; at < bytes.length;) {
        const { bytesRead } = await handle.read(bytes, at, bytes.length - at, range.offset + at);
        if (bytesRead === 0) throw new RangeError('The range ends after the end of the file.');
        at += bytesRead;
      }
      return bytes;
    },
    [Symbol.asyncDispose]: () => handle.close(),
  };
}
