import { z } from 'zod';

export const timestamp = z.iso
  .datetime({ precision: 3 })
  .describe('ISO 8601 in UTC with milliseconds.');

/**
 * The range of times in filters and cursors, in ms since 1970. The database can parse ISO 8601 times only in this
 * range.
 */
export const FIRST_TIME = Date.parse('0001-01-01T00:00:00Z');
export const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

const EXPECTED = 'Expected a date, or a time with an offset, such as 2026-11-20T10:00:00Z';
const LOST_PLUS = `${EXPECTED}; the plus of an offset has to be encoded as %2B in a URL`;

/** Whether the plus of an offset was sent as `+`, which stands for a blank in a query. */
function isWithLostPlus(given: unknown): boolean {
  return typeof given === 'string' && /T[\d:.]+ \d{2}:?\d{2}$/i.test(given);
}

/** A time that filters a list: a time with any UTC offset, or a date, which means midnight UTC. */
export const timeFilter = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], {
    error: ({ input }) => (isWithLostPlus(input) ? LOST_PLUS : EXPECTED),
  })
  .refine((text) => Date.parse(text) >= FIRST_TIME && Date.parse(text) <= LAST_TIME, {
    error: 'Expected a time in the years 1 to 9999',
  })
  .transform((text) => new Date(text));
