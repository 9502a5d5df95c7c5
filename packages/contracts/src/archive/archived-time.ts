import { FIRST_TIME, timestamp } from '../timestamp.ts';

/** A time that the database can store. */
export const archivedTime = timestamp.refine((text) => Date.parse(text) >= FIRST_TIME, {
  error: 'Expected a time in the years 1 to 9999',
});
