import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { timestamp } from '../timestamp.ts';
import { modelNames } from './model-task.ts';

const CheckResult = z.enum(['ok', 'failed']).meta({ id: 'CheckResult' });

const count = z.int().min(0);

const HealthIndex = z
  .object({
    state: z
      .enum(['unfilled', 'filled', 'rebuild_requested'])
      .describe(
        '`unfilled`: nobody is matched until it is filled. `rebuild_requested`: it answers, and is to be made anew.',
      ),
    filling: count
      .nullable()
      .describe('Points so far of an index that is being filled; null while none is.'),
    backlog: count.describe('Changes that wait for it; matching knows them nevertheless.'),
    drift: z
      .object({ missing: count, extra: count, stale: count })
      .nullable()
      .describe(
        'What the last comparison with the database found, and had repaired; null without one.',
      ),
    compared_at: timestamp.nullable(),
  })
  .meta({ id: 'HealthIndex' });

export const Health = z
  .object({
    status: z
      .enum(['ok', 'degraded', 'unavailable'])
      .describe(
        '`degraded`: a part is down, or there is no model, and what does not need it works; or faces still get their embeddings of a new model.',
      ),
    version: z.string(),
    provider: z
      .enum(['cpu', 'cuda'])
      .nullable()
      .describe('Where models run; null if inference does not answer.'),
    models: z.array(z.object(modelNames)).describe('The models that answer now.'),
    checks: z.object({
      database: CheckResult,
      vectors: CheckResult,
      media: CheckResult,
      events: CheckResult,
    }),
    reasons: z
      .array(z.string())
      .describe('What is wrong with parts that fail and can tell: that images have no room, say.'),
    reembed: z
      .object({ total: z.int().min(0), done: z.int().min(0), failed: z.int().min(0) })
      .nullable()
      .describe('Images whose faces get their embeddings of a new model; null: all have them.'),
    index: HealthIndex.nullable().describe(
      'The index that this process matches with; null: none is registered yet, or the database cannot tell.',
    ),
    uptime_seconds: z.int().min(0),
  })
  .meta({ id: 'Health' });

export const getHealthContract = defineContract({
  method: 'GET',
  path: '/api/health',
  right: 'none',
  tag: 'Discovery',
  summary: 'Whether the service works, and with what',
  request: {},
  responses: {
    200: jsonResponse('The service answers, whole or degraded.', Health),
    503: jsonResponse('The service cannot do its work.', Health),
  },
  problems: [],
});
