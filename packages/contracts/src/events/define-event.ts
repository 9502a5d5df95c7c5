import { z } from 'zod';

/**
 * Defines an event, as webhooks, the change feed and Kafka publish it. Consumers rely on the exact members of `data`,
 * so every change of the members needs a new version number. Only a member that most events lack can be added.
 */
export function defineEvent<
  const Event extends string,
  const Version extends number,
  Data extends z.ZodType,
>(event: Event, version: Version, data: Data) {
  return z.strictObject({ event: z.literal(event), version: z.literal(version), data });
}
