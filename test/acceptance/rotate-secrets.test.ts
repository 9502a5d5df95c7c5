import { createHmac, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openWebhookSink } from '../support/servers/webhook-sink.ts';
import { ok, okWith } from '../support/services/ok.ts';
import { runProcess } from '../support/services/run-process.ts';
import { startStandalone } from '../support/services/running-standalone.ts';

test('a running service signs with a secret whose key is replaced', async () => {
  await using sink = await openWebhookSink();
  await using service = await startStandalone();
  const { client, data } = service;
  const file = join(data, 'secret-key');
  const rotate = (settings = {}) =>
    runProcess('apps/cli/src/main.ts', { SIGHTLINE_DATA: data, ...settings }, [
      'secrets',
      'rotate',
    ]);
  const body = { url: `${sink.url}/`, secret: 'hush' };
  const { id } = okWith(201, await client.registerWebhook({ body }));

  const old = (await readFile(file, 'utf8')).trim();
  const key = randomBytes(32).toString('base64');
  await writeFile(file, `${key}\n${old}\n`);
  const first = await rotate();
  expect(first).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^Encrypted again with the key [\da-f]{8}: 1 secret of webhooks, 0 passwords in URLs of images\.$/m,
    ),
  });
  await writeFile(file, `${key}\n`);
  expect(ok(await client.pingWebhook({ path: { id } }))).toMatchObject({ ok: true });
  const [{ headers, body: sent }] = (await sink.until(1)) as [(typeof sink.received)[number]];
  const signature = createHmac('sha256', 'hush').update(sent).digest('hex');
  expect(headers['x-service-signature']).toBe(`sha256=${signature}`);

  expect(await rotate({ SIGHTLINE_SECRET_KEY: old })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^SIGHTLINE_SECRET_KEY is not the key/m),
  });
});
