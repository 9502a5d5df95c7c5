import { createHmac } from 'node:crypto';

export interface MessageToSign {
  readonly id: string;
  /** The time of this delivery attempt, in seconds since the epoch. */
  readonly timestamp: number;
  readonly body: Uint8Array;
  /** The current secret, followed by the previous secret. Without secrets the message is not signed. */
  readonly secrets: readonly string[];
}

const STANDARD_PREFIX = 'whsec_';

/**
 * The headers of a message: its id and time and, if there are secrets, two signatures. The service's own signature
 * covers the body and uses the current secret. The signature of Standard Webhooks also covers id and time, and has one
 * part per secret.
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

/** Passes the key as a string, because Node takes many times longer to create a key from bytes. */
function standardHmac(secret: string): ReturnType<typeof createHmac> {
  return secret.startsWith(STANDARD_PREFIX)
    ? createHmac('sha256', secret.slice(STANDARD_PREFIX.length), { encoding: 'base64' })
    : createHmac('sha256', secret);
}
