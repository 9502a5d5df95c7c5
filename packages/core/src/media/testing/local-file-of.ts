import type { LocalFile } from '../local-file.ts';

export function localFileOf(bytes: Uint8Array): LocalFile {
  return {
    size: bytes.length,
    read: ({ offset, size }) => {
      if (offset + size > bytes.length)
        return Promise.reject(new RangeError('The range exceeds the file.'));
      return Promise.resolve(bytes.slice(offset, offset + size));
    },
  };
}
