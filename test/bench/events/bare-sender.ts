import { createHmac, randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';

/*
 * The bare loop that a dispatcher is compared with: it posts signed messages to a URL, eight at a time, and
 * stores nothing.
 */

const [url, count] = [process.argv[2]!, Number(process.argv[3])];
const IN_FLIGHT = 8;
const dispatcher = new Agent({ connections: IN_FLIGHT });
let sent = 0;

async function send(): Promise<void> {
  while (sent < count) {
    const identity_id = ++sent;
    const id = randomUUID();
    const data = { identity_id, external_ref: null };
    const created_at = new Date().toISOString();
    const body = JSON.stringify({ event: 'identity.deleted', data, id, created_at });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signed = createHmac('sha256', 'hush').update(`${id}.${timestamp}.${body}`);
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signed.digest('base64')}`,
      'X-Service-Signature': `sha256=${createHmac('sha256', 'hush').update(body).digest('hex')}`,
    };
    const answer = await request(url, { method: 'POST', headers, body, dispatcher });
    await answer.body.dump();
  }
}

await Promise.all(Array.from({ length: IN_FLIGHT }, send));
await dispatcher.close();
