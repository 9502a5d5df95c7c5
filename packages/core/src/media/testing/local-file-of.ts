import type { LocalFile } from '../local-file.ts';

/** These bytes as a file that is read part by part. */
export function localFileOf(bytes: Uint8Array): LocalFile {
  return {
    size: bytes.length,
    read: ({ offset, size }) => {
      if (offset + size > bytes.length) return Promise.reject(new RangeError('Outside.'));
      return Promise.resolve(bytes.slice(offset, offset + size));
    },
  };
}
