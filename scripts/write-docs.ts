import { PROBLEMS, type ProblemDefinition } from '@sightline/contracts/problem';
import { configMarkdown } from '@sightline/platform/config/describe-config';
import { createDependencyMetrics } from '@sightline/platform/metrics/dependency-metrics';
import { createHttpMetrics } from '@sightline/platform/metrics/http-metrics';
import { createInferenceMetrics } from '@sightline/model-host/inference-metrics';
import { createMetricsRegistry, LAG_TICK_MS } from '@sightline/platform/metrics/metrics-registry';
import { createWorkerMetrics } from '@sightline/worker/metrics/worker-metrics';
import { writeComputed } from './write-computed.ts';

/**
 * Writes the pages that are computed from the code's own tables. With `--check` it writes nothing
 * and fails if a page is outdated.
 */
const pages = new Map([
  ['docs/metrics.md', await metrics()],
  ['docs/configuration.md', configuration()],
  ['docs/errors.md', errors()],
]);

function configuration(): string {
  return `# Configuration

All settings are environment variables, from the shell or from the command line:
\`make start SIGHTLINE_PORT=9000\`. An empty variable counts as unset. A wrong value ends the start with a
sentence that names it. An unknown variable that begins with \`SIGHTLINE_\`
is a warning in the log.

${configMarkdown()}
`;
}

function errors(): string {
  const rows = Object.entries<ProblemDefinition>(PROBLEMS)
    .sort(([, a], [, b]) => a.status - b.status)
    .map(([code, { status, description }]) => `| ${status} | \`${code}\` | ${description} |`);
  return `# Errors

Every error is an \`application/problem+json\` document (RFC 9457): \`type\`, \`title\`, \`status\`, \`detail\`,
\`code\`, \`request_id\`, and \`errors\` with \`path\` and \`message\` if parts of the input are wrong. Programs
should use \`code\`, which does not change; \`detail\` is for people. \`request_id\` is also in the header
\`X-Request-Id\` and in the service's log.

| status | code | when |
|---|---|---|
${rows.join('\n')}
`;
}

async function metrics(): Promise<string> {
  const registry = createMetricsRegistry();
  createHttpMetrics(registry);
  createInferenceMetrics(registry, () => ({ queued: 0, running: 0 }));
  createWorkerMetrics(registry);
  createDependencyMetrics(registry);
  const rows = (await registry.getMetricsAsJSON())
    .filter(({ name }) => name.startsWith('sightline_'))
    .map(({ name, type, help }) => `| \`${name}\` | ${String(type)} | ${help} |`);
  return `# Metrics

\`/metrics\` on the operations listener (\`SIGHTLINE_OPS_PORT\`) answers in Prometheus' text format. In addition
to these metrics it has the usual ones of a Node process, \`process_*\` and \`nodejs_*\`. The event loop's lag
includes the ${LAG_TICK_MS} ms between two samples. Routes are patterns, never paths; every label has few values.

| metric | type | meaning |
|---|---|---|
${rows.join('\n')}

A process has the metrics of its roles: API and inference processes those of requests; workers those of the
index, the outbox, jobs and orphans; inference processes those of models and decoding; and each process those of
the external services that it uses. The standalone process has all of them.

\`/livez\` answers 200 from the start of the process until its end. \`/readyz\` answers 200 or 503 and names its
check: \`api\` is ready while requests are accepted and the database answers, \`worker\` while its tasks run,
\`inference\` while its models are warm. While a process waits for its stores at the start, or finishes accepted
requests at a stop, it is alive and not ready.
`;
}

await writeComputed(pages);
