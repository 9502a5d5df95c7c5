import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** `doc_string` of an ONNX model: nobody computes with it. */
const DOC_STRING = Buffer.from([0x32, 5, ...Buffer.from('other')]);

/**
 * Copies a model pack to one of the same weights whose files have other bytes, so it is another model, of the same
 * speed and memory.
 *
 * @param pack folder of a pack without a manifest
 */
export async function writeOtherPack(pack: string, other: string): Promise<void> {
  await cp(pack, other, { recursive: true, mode: 0 });
  for (const file of await readdir(pack)) {
    if (!file.endsWith('.onnx')) continue;
    const bytes = await readFile(join(pack, file));
    await writeFile(join(other, file), Buffer.concat([bytes, DOC_STRING]));
  }
}
