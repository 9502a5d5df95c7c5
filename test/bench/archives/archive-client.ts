import { openAsBlob } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import type { RunningService } from '../../support/services/running-service.ts';

type Service = Pick<RunningService, 'url' | 'apiKey'>;

/**
 * Exports the environment of the service's key.
 *
 * @param path of the file to write; null: the bytes are received and dropped
 * @returns the bytes of the archive
 */
export async function exportArchive(
  { url, apiKey }: Service,
  path: string | null = null,
): Promise<number> {
  const response = await fetch(`${url}/api/export`, {
    method: 'POST',
    headers: { 'X-API-Key': apiKey },
  });
  if (!response.ok) throw new Error(`The export answers ${response.status}.`);
  await using file = path === null ? null : await open(path, 'wx');
  let bytes = 0;
  for await (const chunk of response.body! as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    await file?.write(chunk);
  }
  return bytes;
}

/**
 * Imports an archive into the key's environment in one request. It does not use `fetch`, which gives up if no
 * answer begins within five minutes.
 *
 * @returns the bytes of the archive
 * @throws Error unless all images are new
 */
export async function importArchive(
  { url, apiKey }: Service,
  { path, images }: { readonly path: string; readonly images: number },
): Promise<number> {
  const form = new FormData();
  const archive = await openAsBlob(path);
  form.set('file', archive, 'archive.zip');
  const encoded = new Response(form);
  const sent = request(`${url}/api/import`, {
    method: 'POST',
    headers: { 'X-API-Key': apiKey, 'Content-Type': encoded.headers.get('content-type')! },
  });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  await Promise.all([answered, pipeline(encoded.body!, sent)]);
  const [response] = await answered;
  const answer = await text(response);
  const { images_created: created } = JSON.parse(answer) as { readonly images_created?: number };
  if (created !== images) throw new Error(`The import answers ${answer}`);
  // A blob larger than 4 GiB reports a wrong size.
  return (await stat(path)).size;
}
