import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { modelNames } from './model-task.ts';

const CheckResult = z.enum(['ok', 'failed', 'not_configured']).meta({
  id: 'CheckResult',
  description: '`not_configured`: this installation runs without that part.',
});

export const Health = z
  .object({
    status: z
      .enum(['ok', 'degraded', 'unavailable'])
      .describe('`degraded`: a part is down, and what does not need it works.'),
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
