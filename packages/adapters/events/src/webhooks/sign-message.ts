import { createHmac } from 'node:crypto';

export interface MessageToSign {
  readonly id: string;
  /** The time of this attempt, in seconds of the epoch. */
  readonly timestamp: number;
  readonly body: Uint8Array;
  /** The current secret first, then the previous one; without any, the message is not signed. */
  readonly secrets: readonly string[];
}

const STANDARD_PREFIX = 'whsec_';

/**
 * The headers of a message: its id and time, and with a secret two signatures over the raw body. The service's own
 * signature uses the current secret. The signature of Standard Webhooks has one part for each secret, and also covers
 * id and time.
 *
 * @see https://www.standardwebhooks.com
 */
export function signMessage({
  id,
  timestamp,
  body,
  secrets,
}: MessageToSign): Readonly<Record<string, string>> {
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(timestamp) };
  const [present] = secrets;
  if (present === undefined) return headers;
  const standard = secrets.map((secret) =>
    standardHmac(secret).update(`${id}.${timestamp}.`).update(body),
  );
  return {
    ...headers,
    'webhook-signature': standard.map((hmac) => `v1,${hmac.digest('base64')}`).join(' '),
    'X-Service-Signature': `sha256=${createHmac('sha256', present).update(body).digest('hex')}`,
  };
}

/**
 * The key is passed as a string, because creating a key from bytes takes many times longer than computing the HMAC.
 */
function standardHmac(secret: string): ReturnType<typeof createHmac> {
  return secret.startsWith(STANDARD_PREFIX)
    ? createHmac('sha256', secret.slice(STANDARD_PREFIX.length), { encoding: 'base64' })
    : createHmac('sha256', secret);
}
