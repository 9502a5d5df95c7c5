import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes files as a ZIP into a pipe. Returns the bytes of the ZIP. */
export async function zipOnce(paths: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare-zip.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(paths.join('\n'));
  let bytes = 0;
  for await (const chunk of child.stdout) bytes += (chunk as Buffer).length;
  return bytes;
}

/** Writes the files of a ZIP into a new folder. Returns the bytes of the ZIP. */
export async function unzipOnce(archive: string, folder: string): Promise<number> {
  await mkdir(folder);
  const script = join(import.meta.dirname, 'bare-unzip.ts');
  const child = spawn(process.execPath, [script, archive, folder], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The bare loop ended with ${code}.`);
  return (await stat(archive)).size;
}
