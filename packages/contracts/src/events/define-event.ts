import { z } from 'zod';

/**
 * An event as webhooks, the change feed and Kafka publish it. The version is that of `data`, which
 * has exactly these members: any change of them needs a new version.
 */
export function defineEvent<
  const Event extends string,
  const Version extends number,
  Data extends z.ZodType,
>(event: Event, version: Version, data: Data) {
  return z.strictObject({ event: z.literal(event), version: z.literal(version), data });
}
