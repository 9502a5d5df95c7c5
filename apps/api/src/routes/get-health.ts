import { healthContract } from '@sightline/contracts/discovery/health-contract';
import { checkHealth } from '../health/check-health.ts';
import { defineRoute } from '../http/define-route.ts';
import { presentModel } from './present-model.ts';

export const getHealth = defineRoute({
  ...healthContract,
  async handler({ analyzer, healthChecks, version }) {
    const report = await checkHealth(analyzer, healthChecks);
    return {
      status: report.status === 'unavailable' ? 503 : 200,
      body: {
        status: report.status,
        version,
        provider: report.analyzer?.provider ?? null,
        models: (report.analyzer?.models ?? []).map(presentModel),
        checks: report.checks,
        uptime_seconds: Math.floor(process.uptime()),
      },
    };
  },
});
