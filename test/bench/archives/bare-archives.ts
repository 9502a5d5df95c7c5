import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes files as a ZIP into a pipe. Returns the bytes of the ZIP. */
export async function zipOnce(paths: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare-zip.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = endOf(child);
  child.stdin.end(paths.join('\n'));
  let bytes = 0;
  for await (const chunk of child.stdout) bytes += (chunk as Buffer).length;
  await ended;
  return bytes;
}

/** Writes the files of a ZIP into a new folder. Returns the bytes of the ZIP. */
export async function unzipOnce(archive: string, folder: string): Promise<number> {
  await mkdir(folder);
  const script = join(import.meta.dirname, 'bare-unzip.ts');
  await endOf(spawn(process.execPath, [script, archive, folder], { stdio: 'inherit' }));
  return (await stat(archive)).size;
}

/** @throws Error if the process fails, because its speed would be that of a part of the files */
async function endOf(child: ChildProcess): Promise<void> {
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The bare loop ended with ${code}.`);
}
