import { COMMAND } from '@sightline/core/store/actor';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { createKey } from '@sightline/core/api-keys/create-key';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Command } from '../command.ts';
import { openInstallation } from '../open-installation.ts';

/** The timeout of the request, longer than a photo can wait in a full queue. */
const ANSWER_MS = 60_000;
/** How long to wait for the database, which a new pod may reach only after its network policy has taken effect. */
const STORES_MS = 30_000;
/** The lifetime of the temporary key, in case this process is killed before it revokes the key. */
const KEY_MS = 600_000;
/** The name of a separate environment, so that the photo is not compared with any tenant's faces. */
const ENVIRONMENT = 'sightline-try';

/** `sightline try`: sends one request through the whole service with a temporary, read-only key. */
export const tryService: Command = {
  options: {},
  operands: ['URL', 'PHOTO'],
  async run(input) {
    const [url = '', photo = ''] = input.operands;
    await using installation = await openInstallation(input, { timeoutMs: STORES_MS });
    const { keys } = installation;
    const { key, record } = await createKey(
      { keys },
      {
        environment: ENVIRONMENT,
        label: 'sightline try',
        right: 'read',
        isAdmin: false,
        expiresAt: new Date(Date.now() + KEY_MS),
      },
    );
    try {
      const faces = await identify({ url, photo, key, signal: input.signal });
      input.print(`${url} answers. Faces in ${basename(photo)}: ${faces}.`);
    } finally {
      await keys.revoke(record.id, COMMAND);
    }
  },
};

interface Attempt {
  readonly url: string;
  readonly photo: string;
  readonly key: string;
  readonly signal: AbortSignal;
}

/** @returns the number of faces found; @throws StartError if the request fails */
async function identify({ url, photo, key, signal }: Attempt): Promise<number> {
  const form = new FormData();
  form.set('file', await readPhoto(photo), basename(photo));
  const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
  const request = { method: 'POST', headers: { 'x-api-key': key }, body: form, signal: limit };
  const response = await fetch(new URL('/api/identify', url), request).catch((cause: unknown) => {
    throw new StartError(`${url} does not answer.`, { cause });
  });
  const said = await response.text();
  if (!response.ok) throw new StartError(`${url} answers ${response.status}: ${said}`);
  return (JSON.parse(said) as { readonly faces: readonly unknown[] }).faces.length;
}

async function readPhoto(photo: string): Promise<Blob> {
  const bytes = await readFile(photo).catch((cause: unknown) => {
    throw new StartError(`${photo} cannot be read.`, { cause });
  });
  return new Blob([bytes]);
}
