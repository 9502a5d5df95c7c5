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

Everything is set by environment variables. \`make start\` passes on those of the shell and those on its
command line: \`make start SIGHTLINE_PORT=9000\`. An empty variable counts as unset. An invalid value ends
the start with a sentence that names it; an unknown \`SIGHTLINE_\` variable is logged as a warning.

${configMarkdown()}
`;
}

function errors(): string {
  const rows = Object.entries<ProblemDefinition>(PROBLEMS)
    .sort(([, a], [, b]) => a.status - b.status)
    .map(([code, { status, description }]) => `| ${status} | \`${code}\` | ${description} |`);
  return `# Errors

Every error is an \`application/problem+json\` document (RFC 9457): \`type\`, \`title\`, \`status\`, \`detail\`,
\`code\`, \`request_id\`, and \`errors\` with \`path\` and \`message\` if parts of the input are invalid. Programs
should use \`code\`, which does not change; \`detail\` is a message for people. \`request_id\` is also in the
header \`X-Request-Id\` and in the log of the service.

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

\`/metrics\` on the operations listener (\`SIGHTLINE_OPS_PORT\`) answers in the Prometheus text format. In
addition to the metrics below it has the standard ones of a Node process, \`process_*\` and \`nodejs_*\`. The
event loop lag among them includes the sampling interval of ${LAG_TICK_MS} ms. Labels have few values: routes are
patterns, never paths.

| metric | type | meaning |
|---|---|---|
${rows.join('\n')}

Not every process has all of them. API and inference processes have those of requests; workers those of the
index, the outbox, jobs and orphans; inference processes those of models and decoding; and every process those
of the external services that it uses. A standalone process has all of them.

\`/livez\` answers 200 from the start of the process until its end. \`/readyz\` answers 200 or 503 and names its
check: \`api\` is ready while it accepts requests and the database answers, \`worker\` while it runs, and
\`inference\` while its models are warm. A process that waits for its stores during startup, or that finishes
in-flight work during shutdown, is alive but not ready.
`;
}

await writeComputed(pages);
