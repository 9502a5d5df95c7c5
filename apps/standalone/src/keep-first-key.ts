import { relative } from 'node:path';
import { ensureFirstKey, type FirstKeyDeps } from '@sightline/core/api-keys/first-key';
import { writeDurably } from '@sightline/platform/data-folder/write-durably';
import type { Role } from '@sightline/platform/lifecycle/role';

/**
 * Creates the first API key of a new installation and writes the key to a file that only its owner can read.
 *
 * @returns a role that prints how to use the key; null if the installation already has keys
 */
export async function keepFirstKey({
  keys,
  file,
  url,
}: Pick<FirstKeyDeps, 'keys'> & {
  readonly file: string;
  /** The URL of the API; called after the API listens. */
  readonly url: () => string;
}): Promise<Role | null> {
  const key = await ensureFirstKey({ keys, keep: (text) => writeDurably(file, `${text}\n`) });
  if (key === null) return null;
  return {
    name: 'first key',
    start: () => {
      process.stderr.write(`\n${notice({ key, file, url: url() }).join('\n')}\n\n`);
      return Promise.resolve();
    },
    ready: () => Promise.resolve(true),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/**
 * The notice about the key. The notice contains the key only if the output is a terminal, because other output, such
 * as a container's, ends up in logs.
 */
function notice({ key, file, url }: Readonly<Record<'key' | 'file' | 'url', string>>): string[] {
  const shown = relative(process.cwd(), file);
  const path = shown.startsWith('..') ? file : shown;
  return [
    `The first API key, an administrator's, is in ${path}.`,
    ...(process.stderr.isTTY ? [`It is shown only this once: ${key}`] : []),
    'Try it:',
    `  curl -H "X-API-Key: $(cat ${path})" -F file=@photo.jpg ${url}/api/detect/all`,
  ];
}
