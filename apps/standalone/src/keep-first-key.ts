import { open, rename } from 'node:fs/promises';
import { relative } from 'node:path';
import { ensureFirstKey, type FirstKeyDeps } from '@sightline/core/accounts/first-key';

/**
 * Makes the first key of a new installation, keeps it for local use in a file that only its owner
 * reads, and shows the person at the terminal how to use it. Where nobody watches, as in a container,
 * output ends up in a log, and the key is not printed.
 */
export async function keepFirstKey({
  keys,
  file,
  url,
}: Pick<FirstKeyDeps, 'keys'> & {
  readonly file: string;
  /** Where the API will answer. */
  readonly url: string;
}): Promise<void> {
  const key = await ensureFirstKey({ keys, keep: (text) => writePrivately(file, `${text}\n`) });
  if (key === null) return;
  const shown = relative(process.cwd(), file);
  const path = shown.startsWith('..') ? file : shown;
  const lines = [
    "The first API key, an administrator's, is in " + path + '.',
    ...(process.stderr.isTTY ? [`It is shown only this once: ${key}`] : []),
    'Try it:',
    `  curl -H "X-API-Key: $(cat ${path})" -F file=@photo.jpg ${url}/api/detect/all`,
  ];
  process.stderr.write(`\n${lines.join('\n')}\n\n`);
}

async function writePrivately(path: string, text: string): Promise<void> {
  const temporary = `${path}.new`;
  await using handle = await open(temporary, 'w', 0o600);
  await handle.writeFile(text);
  await handle.sync();
  await rename(temporary, path);
}
