import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A `doc_string` for an ONNX model, which no runtime evaluates. */
const DOC_STRING = Buffer.from([0x32, 5, ...Buffer.from('other')]);

/**
 * Copies a model pack and changes the bytes of its files, but not its weights: the copy is another model of
 * the same speed and memory.
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
