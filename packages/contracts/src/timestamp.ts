import { z } from 'zod';

/** A time in an answer. */
export const timestamp = z.iso
  .datetime({ precision: 3 })
  .describe('ISO 8601 in UTC with milliseconds.');

/** The range of times that filters and cursors may name, in ms: the one that the database reads in ISO 8601. */
export const FIRST_TIME = Date.parse('0001-01-01T00:00:00Z');
export const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

/** A time that filters a list: with any offset, or a date, which means its midnight UTC. */
export const timeFilter = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()])
  .refine((text) => Date.parse(text) >= FIRST_TIME && Date.parse(text) <= LAST_TIME, {
    error: 'Expected a time in the years 1 to 9999',
  })
  .transform((text) => new Date(text));
