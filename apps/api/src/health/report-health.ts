import type { IndexReader } from '@sightline/core/vectors/index-status';
import { presentModel } from '@sightline/presentation/present-model';
import { checkHealth } from './check-health.ts';
import type { EventFlow } from './event-flow.ts';
import type { HealthAnswer } from '../context/health-answer.ts';
import { type HealthContext, healthSources } from './health-sources.ts';

export async function reportHealth(context: HealthContext): Promise<HealthAnswer> {
  const report = await checkHealth(healthSources(context));
  const models = report.analyzer?.models ?? [];
  // The ids of the models are read from the database only if the database works, because the health report must not
  // wait for a database that hangs.
  const registry = report.checks.database === 'ok' ? context.models : null;
  return {
    status: report.status === 'unavailable' ? 503 : 200,
    body: {
      status: report.status,
      version: context.version,
      provider: report.analyzer?.provider ?? null,
      models: await Promise.all(models.map((model) => presentModel(registry, model))),
      checks: report.checks,
      reasons: [...report.reasons],
      reembed: report.reembed,
      index: report.index && presentIndex(report.index),
      events: report.flow && presentFlow(report.flow),
      uptime_seconds: Math.floor(process.uptime()),
    },
  };
}

function presentFlow({ lags, kafka }: EventFlow) {
  const relay = kafka?.relay?.lagSeconds ?? null;
  return {
    transport: kafka === null ? ('embedded' as const) : ('kafka' as const),
    lag_seconds: { relay, ...lags },
  };
}

export function presentIndex({ state, filling, backlog, drift, comparedAt }: IndexReader) {
  return { state, filling, backlog, drift, compared_at: comparedAt?.toISOString() ?? null };
}
