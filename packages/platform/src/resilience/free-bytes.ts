import { statfs } from 'node:fs/promises';

/** The free bytes on the disk of a folder that this account can use. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
