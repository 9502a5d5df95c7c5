import { z } from 'zod';
import { EventMessage } from '../events/event-message.ts';
import { storableText } from '../text.ts';
import { timestamp } from '../timestamp.ts';

/** The names of all events. */
export const EventName = z
  .enum(EventMessage.options.map(({ shape }) => shape.event.value))
  .meta({ id: 'EventName' });

export const Webhook = z
  .object({
    id: z.int(),
    url: z.string(),
    events: z.array(EventName).describe('Which events it gets; none: all.'),
    label: z.string().nullable(),
    is_active: z.boolean(),
    has_secret: z
      .boolean()
      .describe('Whether messages are signed; the secret itself is never shown.'),
    disabled_reason: z
      .enum(['gone', 'failing'])
      .nullable()
      .describe(
        'Why the service has switched it off. `gone`: the endpoint answered 410. `failing`: for five days ' +
          'nothing has reached it.',
      ),
    created_at: timestamp,
  })
  .meta({ id: 'Webhook', description: 'An address that is told of events.' });

const MAX_SECRET_BYTES = 256;
const MAX_URL_LENGTH = 2000;
const MAX_LABEL_LENGTH = 200;

/** What a webhook is registered with, and what of it can be changed. */
export const webhookFields = {
  url: storableText(MAX_URL_LENGTH)
    .refine((url) => URL.canParse(url) && !/\p{Cc}/u.test(url), { error: 'Expected a URL' })
    .meta({ format: 'uri', description: 'An http or https address without credentials.' }),
  events: z
    .array(EventName)
    .max(EventName.options.length * 2)
    .transform((events) => [...new Set(events)])
    .describe('Which events it gets; none: all.'),
  label: storableText(MAX_LABEL_LENGTH).nullable(),
  secret: z
    .string()
    .refine((secret) => secret.isWellFormed(), { error: 'Unpaired surrogates cannot be kept' })
    .refine((secret) => bytesOf(secret) >= 1 && bytesOf(secret) <= MAX_SECRET_BYTES, {
      error: `Expected 1 to ${MAX_SECRET_BYTES} bytes`,
    })
    .nullable()
    .describe('With it messages are signed. Null: they are not.'),
};

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
