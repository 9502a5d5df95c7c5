import { PROBLEMS } from '@sightline/contracts/problem';
import type { ProblemDefinition } from '@sightline/contracts/problem-definition';
import { configMarkdown } from '@sightline/platform/config/describe-config';
import { createDependencyMetrics } from '@sightline/platform/metrics/dependency-metrics';
import { createDiskMetrics } from '@sightline/platform/metrics/disk-metrics';
import { createConnectionMetrics } from '@sightline/platform/metrics/connection-metrics';
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

Environment variables configure Sightline; \`make\` also takes them on its command line:
\`make start SIGHTLINE_PORT=9000\`. An empty variable counts as unset. An invalid value ends the start with
an error that names the variable; an unknown variable is a warning, in the log or on stderr of a command.
A service takes no argument except \`--help\`, which lists the variables that it reads. Sightline in
one process (\`make start\`) reads all of them except those of the migration and of the operator.

Values that can change while the service runs are settings, of an environment or (\`system.*\`) of
the installation. \`GET /api/settings\` lists them with their meaning, and \`PUT
/api/settings/{key}\` changes one.

${configMarkdown()}

## Proxies

Downloads of models use the HTTP proxies that the usual variables of the environment name; those in lower case take
precedence. Nothing else uses them. An invalid address of a proxy fails the downloads that need it, and nothing else.

| variable | meaning |
|---|---|
| \`HTTPS_PROXY\` | The http:// or https:// URL of the proxy for https; without it, https uses none |
| \`HTTP_PROXY\` | The same for http |
| \`NO_PROXY\` | Hosts that are reached directly, separated by commas: addresses, ranges of addresses such as \`10.0.0.0/8\`, names with their subdomains, or \`*\` for all; all but ranges optionally with a port |
`;
}

function errors(): string {
  const rows = Object.entries<ProblemDefinition>(PROBLEMS)
    .sort(([, a], [, b]) => a.status - b.status)
    .map(([code, { status, description }]) => `| ${status} | \`${code}\` | ${description} |`);
  return `# Errors

Every error is an \`application/problem+json\` document (RFC 9457): \`type\`, \`title\`, \`status\`, \`detail\`,
\`code\`, \`request_id\`, and \`errors\` with \`path\` and \`message\` if parts of the input are wrong. Programs should rely on \`code\`, which does not change; \`detail\` is for people. The header
\`X-Request-Id\` and the service's log have the same \`request_id\`.

| status | code | when |
|---|---|---|
${rows.join('\n')}
`;
}

async function metrics(): Promise<string> {
  const registry = createMetricsRegistry();
  createHttpMetrics(registry);
  createConnectionMetrics(registry);
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

The operations listener (\`SIGHTLINE_OPS_HOST\`, \`SIGHTLINE_OPS_PORT\`) serves \`/metrics\` in the
text format of Prometheus. It includes the default metrics of a Node process, \`process_*\` and
\`nodejs_*\`; the event loop lag among them includes the ${LAG_TICK_MS} ms between two measurements.
Routes are patterns instead of paths, and every label has few values.

| metric | type | meaning |
|---|---|---|
${rows.join('\n')}

Each process exports the metrics of its part:

| process | metrics of |
|---|---|
| API, inference | requests |
| processes with a data folder or temporary files | their disks |
| worker | the index, the outbox and its consumers, jobs, orphans |
| relay | published events |
| projector, dispatcher | events consumed from Kafka |
| dispatcher | webhooks |
| inference | models, decoding |
| operator | \`InferenceModel\`s and routes; under the names that dashboards know, \`controller_runtime_*\`, \`workqueue_*\`, \`leader_election_master_status\` and \`rest_client_requests_total\` |
| every process | the external services that it uses |

Sightline in one process exports all of them except the operator's.

\`/livez\` answers 200 as soon as the process starts. \`/readyz\` answers 200 or 503 and names its check. \`api\` is
ready while the API accepts requests and the database is available; \`worker\`, \`relay\`, \`projector\` and
\`dispatcher\` are ready while they run; \`operator\` is ready while it leads or is a candidate; \`inference\` is ready while
its models are warm. A process that waits for its stores at the start, or that finishes its last requests before it
stops, is alive and not ready.

An inference process also serves \`/models\`. For each desired model, and each that is still loaded, it reports \`name\`,
\`task\`, \`revision\`, \`state\` (\`fetching\`, \`disk\`, \`warming\`, \`warm\` or \`failed\`), \`error\` with a \`reason\` and
a \`message\`, \`deaths\` of worker threads, and \`lastRequestedSecondsAgo\`, which is null if no request has named the
model. The process becomes ready once every model that was desired at its start has been warm.
`;
}

await writeComputed(pages);
