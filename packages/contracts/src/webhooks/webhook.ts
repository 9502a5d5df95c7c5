import { z } from 'zod';
import { EventMessage } from '../events/event-message.ts';
import { givenLabel } from '../identities/given-label.ts';
import { HTTP_ADDRESS, storableText } from '../text.ts';
import { timestamp } from '../timestamp.ts';

export const EventName = z
  .enum(EventMessage.options.map(({ shape }) => shape.event.value))
  .meta({ id: 'EventName' });

export const Webhook = z
  .object({
    id: z.int(),
    url: z.string(),
    events: z
      .array(EventName)
      .describe('The events that the webhook gets; an empty list means all.'),
    label: z.string().nullable(),
    is_active: z.boolean(),
    has_secret: z
      .boolean()
      .describe('Whether messages are signed; the secret itself is never shown.'),
    disabled_reason: z
      .enum(['gone', 'failing'])
      .nullable()
      .describe(
        'The reason why the service switched the webhook off. `gone`: the endpoint responded with status 410. `failing`: no message was delivered for five days.',
      ),
    created_at: timestamp,
  })
  .meta({ id: 'Webhook', description: 'An address to which the service sends events.' });

const MAX_SECRET_BYTES = 256;
/** The prefix of secrets in the form of Standard Webhooks. */
const STANDARD_PREFIX = 'whsec_';
/** The bytes of such a secret. */
const STANDARD_BYTES = { least: 24, most: 64 };
const BASE64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;
const MAX_URL_LENGTH = 2000;

export const webhookFields = {
  url: storableText(MAX_URL_LENGTH)
    .refine((url) => URL.canParse(url) && !/\p{Cc}/u.test(url), { error: 'Expected a URL' })
    .meta({
      format: 'uri',
      pattern: HTTP_ADDRESS,
      description: 'An http or https address without credentials.',
    }),
  events: z
    .array(EventName)
    .max(EventName.options.length * 2)
    .transform((events) => [...new Set(events)])
    .describe('The events that the webhook gets; an empty list means all.'),
  label: givenLabel.nullable(),
  secret: z
    .string()
    .refine((secret) => secret.isWellFormed(), { error: 'Unpaired surrogates cannot be stored' })
    .refine((secret) => bytesOf(secret) >= 1 && bytesOf(secret) <= MAX_SECRET_BYTES, {
      error: `Expected 1 to ${MAX_SECRET_BYTES} bytes`,
    })
    .refine(isSound, {
      error: `Expected base64 of ${STANDARD_BYTES.least} to ${STANDARD_BYTES.most} bytes after ${STANDARD_PREFIX}`,
    })
    .meta({ minLength: 1, maxLength: MAX_SECRET_BYTES })
    .nullable()
    .describe(
      'Key for signing messages, of 1 to 256 bytes in UTF-8; after `whsec_`, base64 of 24 to 64 bytes. Null switches signing off.',
    ),
};

/** Whether a secret is of our own form, or a complete one of Standard Webhooks: others would be decoded to a shorter key. */
function isSound(secret: string): boolean {
  if (!secret.startsWith(STANDARD_PREFIX)) return true;
  const text = secret.slice(STANDARD_PREFIX.length);
  if (!BASE64.test(text)) return false;
  const padding = text.length - text.replace(/=+$/, '').length;
  const bytes = (text.length / 4) * 3 - padding;
  return bytes >= STANDARD_BYTES.least && bytes <= STANDARD_BYTES.most;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
