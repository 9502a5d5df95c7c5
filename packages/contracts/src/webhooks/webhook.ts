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
    .meta({ minLength: 1, maxLength: MAX_SECRET_BYTES })
    .nullable()
    .describe('Key for signing messages, of 1 to 256 bytes in UTF-8; null switches signing off.'),
};

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
