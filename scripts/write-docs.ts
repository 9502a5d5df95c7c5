import { PROBLEMS, type ProblemDefinition } from '@sightline/contracts/problem';
import { configMarkdown } from '@sightline/platform/config/describe-config';
import { createDependencyMetrics } from '@sightline/platform/metrics/dependency-metrics';
import { createDiskMetrics } from '@sightline/platform/metrics/disk-metrics';
import { createHttpMetrics } from '@sightline/platform/metrics/http-metrics';
import { createConsumerMetrics } from '@sightline/background/tasks/consumer-metrics';
import { createDispatcherMetrics } from '@sightline/background/dispatcher/dispatcher-metrics';
import { createInferenceMetrics } from '@sightline/model-host/inference-metrics';
import { createOperatorMetrics } from '@sightline/operator/operator-metrics';
import { createMetricsRegistry, LAG_TICK_MS } from '@sightline/platform/metrics/metrics-registry';
import { createRelayMetrics } from '@sightline/background/relay/relay-metrics';
import { createWorkerMetrics } from '@sightline/background/worker/metrics/worker-metrics';
import { writeComputed } from './write-computed.ts';

/**
 * Writes the pages that are generated from tables in the code. With `--check` it writes nothing, and
 * fails if a page is out of date.
 */
const pages = new Map([
  ['docs/metrics.md', await metrics()],
  ['docs/configuration.md', configuration()],
  ['docs/errors.md', errors()],
]);

function configuration(): string {
  return `# Configuration

Sightline is configured by environment variables, those of the shell or of the command line:
\`make start SIGHTLINE_PORT=9000\`. An empty variable counts as unset. An invalid value ends the start with
an error that names the variable; an unknown variable is a warning, in the log or on stderr of a command.
The services take no arguments but \`--help\`, which lists the variables that a process reads; Sightline in
one process (\`make start\`) reads all of them but those of the migration and of the operator.

What can be changed while it runs is a setting, of an environment or (\`system.*\`) of the installation:
\`GET /api/settings\` lists them with their meaning, \`PUT /api/settings/{key}\` changes one.

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
  const none = { queued: 0, running: 0, environmentsQueued: 0 };
  const load = { interactive: none, background: none };
  const device = { hasGpu: false, provider: 'cpu', fallbackReason: null } as const;
  createInferenceMetrics(registry, () => ({ load, sets: 1, ...device }));
  createWorkerMetrics(registry);
  createRelayMetrics(registry);
  createOperatorMetrics({ registry, watched: () => null, loads: () => ({}) });
  createConsumerMetrics(registry);
  createDispatcherMetrics(registry);
  createDependencyMetrics(registry);
  createDiskMetrics(registry, {});
  const rows = (await registry.getMetricsAsJSON())
    .filter(({ name }) => name.startsWith('sightline_'))
    .map(({ name, type, help }) => `| \`${name}\` | ${String(type)} | ${help} |`);
  return `# Metrics

\`/metrics\` on the operations listener (\`SIGHTLINE_OPS_HOST\`, \`SIGHTLINE_OPS_PORT\`) answers in the text
format of Prometheus. It also has the default metrics of a Node process, \`process_*\` and \`nodejs_*\`. The lag
of the event loop among them includes the ${LAG_TICK_MS} ms between two measurements. Routes are patterns, not
paths; every label has few values.

| metric | type | meaning |
|---|---|---|
${rows.join('\n')}

Each process has the metrics of its part: API and inference processes those of requests; processes with a data
folder or temporary files those of their disks; workers those of the index, the outbox and its consumers, jobs and orphans;
relays those of what they publish; projectors and dispatchers those of what Kafka tells them, dispatchers those of webhooks as
well; inference processes those of models and decoding; the operator those of InferenceModels and routes, and, by the names that
dashboards know, \`controller_runtime_*\`, \`workqueue_*\`, \`leader_election_master_status\` and \`rest_client_requests_total\`; and every process those of the external services that it uses. Sightline in
one process has all of them but the operator's.

\`/livez\` answers 200 from the first moment of the start. \`/readyz\` answers 200 or 503 and names its check:
\`api\` is ready while the API accepts requests and the database is available, \`worker\`,
\`relay\`, \`projector\` and \`dispatcher\` while they run,
\`operator\` while it leads or could lead, \`inference\` while its models are warm. A process that waits for its stores at the start, or finishes
requests at its stop, is alive and not ready.

An inference process that is told by a file what to hold (\`SIGHTLINE_SERVING_FILE\`) answers \`/models\` as well: of each
model its \`name\`, \`task\`, \`revision\`, \`state\` (\`fetching\`, \`disk\`, \`warming\`, \`warm\` or \`failed\`), \`error\` with a \`reason\` and
a \`message\`, and \`lastAskedSecondsAgo\`, null if no request has named it. It is ready once everything has been warm that the
file named when it started.
`;
}

await writeComputed(pages);
