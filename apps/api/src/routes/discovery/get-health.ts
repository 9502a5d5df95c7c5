import { getHealthContract } from '@sightline/contracts/discovery/get-health-contract';
import type { IndexReader } from '@sightline/core/vectors/index-status';
import { checkHealth } from '../../health/check-health.ts';
import { healthSources } from '../../health/health-sources.ts';
import { defineRoute } from '../../http/define-route.ts';
import { presentModel } from './present-model.ts';

export const getHealthRoute = defineRoute(getHealthContract, {
  async handler(context) {
    const report = await checkHealth(healthSources(context));
    const models = report.analyzer?.models ?? [];
    // Health must not wait for a database that hangs.
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
        uptime_seconds: Math.floor(process.uptime()),
      },
    };
  },
});

function presentIndex({ state, filling, backlog, drift, comparedAt }: IndexReader) {
  return { state, filling, backlog, drift, compared_at: comparedAt?.toISOString() ?? null };
}
