import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { integer } from '../numeric.ts';

const MAX_DAYS = 366;
const DEFAULT_DAYS = 90;

const count = z.int().min(0);

export const DayStats = z
  .object({
    date: z.iso.date().describe('The day in UTC.'),
    images: count.describe('Images that were stored.'),
    faces: count.describe('Faces that were detected or drawn.'),
    objects: count.describe('Objects that were detected or drawn.'),
    confirmed_automatic: count.describe('Faces that matching confirmed.'),
    confirmed_human: count.describe(
      'Faces that people confirmed, also those that matching had confirmed before.',
    ),
    rejected: count.describe('Faces that were rejected.'),
    enrolled: count.describe('Faces that became references of an identity.'),
  })
  .meta({ id: 'DayStats', description: 'The counts of one day in the environment.' });

export const DailyStats = z
  .object({ items: z.array(DayStats).describe('All days, oldest first; the last one is today.') })
  .meta({ id: 'DailyStats' });

export const getDailyStatsContract = defineContract({
  method: 'GET',
  path: '/api/stats/daily',
  right: 'read',
  tag: 'Statistics',
  summary: 'Get the counts of each of the last days',
  description:
    'Days begin at midnight UTC. A day keeps its counts when records are deleted later. An undo subtracts from the day of the operation what the operation had added. An import counts on its day. Decisions and enrollments before the update to the release with these counts are not included.',
  request: {
    query: z.object({
      days: integer(z.int().min(1).max(MAX_DAYS))
        .default(DEFAULT_DAYS)
        .describe(`Number of days, from 1 to ${MAX_DAYS}, with today.`),
    }),
  },
  responses: { 200: jsonResponse('The counts of each day.', DailyStats) },
  problems: [],
});
