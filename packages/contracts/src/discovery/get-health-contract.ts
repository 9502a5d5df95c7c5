import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { timestamp } from '../timestamp.ts';
import { modelNames } from './model-task.ts';

export const CheckResult = z.enum(['ok', 'failed']).meta({ id: 'CheckResult' });

const count = z.int().min(0);

export const HealthIndex = z
  .object({
    state: z
      .enum(['unfilled', 'filled', 'rebuild_requested'])
      .describe(
        '`unfilled`: matching is unavailable until the index is filled. `rebuild_requested`: the index is in use and will be rebuilt.',
      ),
    filling: count
      .nullable()
      .describe('Number of points written so far while the index is being filled, else null.'),
    backlog: count.describe(
      'Number of changes that the index has not applied yet; matching takes them into account.',
    ),
    drift: z
      .object({ missing: count, extra: count, stale: count })
      .nullable()
      .describe(
        'Number of differences that the last comparison with the database found and repaired; null before the first comparison.',
      ),
    compared_at: timestamp.nullable(),
  })
  .meta({ id: 'HealthIndex' });

const seconds = z.number().min(0);

export const HealthEvents = z
  .object({
    transport: z
      .enum(['embedded', 'kafka'])
      .describe(
        'Source of the events for the change feed and webhooks: `embedded` is the database.',
      ),
    lag_seconds: z
      .object({
        relay: seconds
          .nullable()
          .describe(
            'Seconds that the oldest event has waited for the relay to Kafka; null without Kafka.',
          ),
        feed: seconds,
        webhooks: seconds,
      })
      .describe(
        'Seconds that the oldest unprocessed event has waited at each stage; 0 if none waits.',
      ),
  })
  .meta({ id: 'HealthEvents' });

export const Health = z
  .object({
    status: z
      .enum(['ok', 'degraded', 'unavailable'])
      .describe(
        '`degraded`: a dependency is down, no model is active, or embeddings of a new model are still being computed; operations that do not need them work.',
      ),
    version: z.string(),
    provider: z
      .enum(['cpu', 'cuda'])
      .nullable()
      .describe('The device that runs the models; null if inference is unavailable.'),
    models: z.array(z.object(modelNames)).describe('The active models.'),
    checks: z.object({
      database: CheckResult,
      vectors: CheckResult,
      media: CheckResult,
      events: CheckResult,
    }),
    reasons: z
      .array(z.string())
      .describe(
        'Reasons of failed checks, as far as known, such as missing space for images. After a rollback to the previous model, also the reason of the rollback, until the next activation.',
      ),
    reembed: z
      .object({ total: z.int().min(0), done: z.int().min(0), failed: z.int().min(0) })
      .nullable()
      .describe(
        'Progress, in images, of computing embeddings of a new model; null if all faces have them.',
      ),
    index: HealthIndex.nullable().describe(
      'The index that this process uses for matching; null if none is registered or the database is down.',
    ),
    events: HealthEvents.nullable().describe('Null if the database is down.'),
    uptime_seconds: z.int().min(0),
  })
  .meta({ id: 'Health' });

export const getHealthContract = defineContract({
  method: 'GET',
  path: '/api/health',
  right: 'none',
  tag: 'Discovery',
  summary: 'Get the health of the service',
  description: 'The service runs the checks at most once a second, for all callers together.',
  request: {},
  responses: {
    200: jsonResponse('The service works, fully or degraded.', Health),
    503: jsonResponse('The service is unavailable.', Health),
  },
  problems: [],
});
