import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { modelNames } from './model-task.ts';

const CheckResult = z.enum(['ok', 'failed']).meta({ id: 'CheckResult' });

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
    reembed: z
      .object({ total: z.int().min(0), done: z.int().min(0), failed: z.int().min(0) })
      .nullable()
      .describe('Images whose faces get their embeddings of a new model; null: all have them.'),
    uptime_seconds: z.int().min(0),
  })
  .meta({ id: 'Health' });

export const healthContract = defineContract({
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
