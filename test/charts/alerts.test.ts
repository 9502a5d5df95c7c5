import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { API_CONTRACTS } from '@sightline/contracts/api-contracts';
import { fetchLabels, inferenceLabels } from '@sightline/operator/plan/labels';
import { dump, load } from 'js-yaml';
import { containersOf, podTemplates, RENDERINGS, renderingOf } from '../support/charts/rendered.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url?: string };
}
interface Rules {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
}
interface Dashboard {
  readonly templating: { readonly list: readonly { readonly query: string }[] };
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
}

const PROMTOOL = resolve('.cache/cluster/prometheus/usr/bin/promtool');
const filesOf = (folder: string) => readdirSync(folder).map((name) => join(folder, name));
/**
 * The alerts of two renderings: of the release `sl` in the namespace photos, and of the operator. Their expressions
 * contain the names of release and namespace.
 */
const ALERTS = ['production', 'operator-namespaced'].flatMap(rulesOf).map((rule) => {
  const { alert: name, annotations } = rule;
  const { runbook_url: page, ...others } = annotations;
  return { name, page, rule: { ...rule, annotations: others } };
});
const DASHBOARDS = filesOf('charts/sightline/dashboards').map((path) => {
  const { panels, templating } = JSON.parse(readFileSync(path, 'utf8')) as Dashboard;
  return {
    name: basename(path, '.json'),
    expressions: panels.map(({ targets }) => targets.map(({ expr }) => expr)),
    variables: templating.list.map(({ query }) => query),
  };
});

function rulesOf(rendering: string): readonly Rule[] {
  const objects = renderingOf(rendering).manifests.filter(({ kind }) => kind === 'PrometheusRule');
  return objects
    .flatMap(({ spec }) => (spec as unknown as Rules).groups)
    .flatMap(({ rules }) => rules);
}

/** Metrics with the names of controller-runtime, kube-state-metrics, MinIO and DCGM, which docs/metrics.md does not list. */
const OTHERS = [
  'leader_election_master_status',
  'controller_runtime_reconcile_errors_total',
  'kube_deployment_spec_replicas',
  'kube_deployment_status_replicas_available',
  'kube_job_status_failed',
  'kube_job_status_succeeded',
  'minio_cluster_capacity_usable_free_bytes',
  'minio_cluster_capacity_usable_total_bytes',
  'DCGM_FI_DEV_GPU_UTIL',
  'DCGM_FI_DEV_FB_USED',
];
/** The metrics of the product. `make check` compares this table with the code. */
const OURS = [...readFileSync('docs/metrics.md', 'utf8').matchAll(/^\| `(\w+)` +\| (\w+)/gm)];
const EXPORTED = new Set([
  ...OTHERS,
  ...OURS.flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  ),
]);

/** The metrics in an expression that no program exports. Metrics have prefixes, which labels and functions do not have. */
function unknownMetrics(expression: string): readonly string[] {
  const names = expression.match(/\b(?:sightline|leader|controller|kube|minio|DCGM)_\w+/g) ?? [];
  expect(names).not.toEqual([]);
  return names.filter((name) => !EXPORTED.has(name));
}

/**
 * Whether an expression counts not only requests to the API, but also those to inference pods, whose metrics have the
 * same names.
 */
function countsInnerRequests(expression: string): boolean {
  const selectors = expression.match(/sightline_http_\w+\{[^}]*\}/g) ?? [];
  return selectors.some((selector) => !selector.includes('app_kubernetes_io_component="api"'));
}

const TEMPLATES = RENDERINGS.flatMap(podTemplates);
/** The labels of the pods that the charts and the operator create. */
const POD_LABELS = new Set(
  [...TEMPLATES.map(({ labels }) => labels), inferenceLabels('a'), fetchLabels('a')].flatMap(
    (labels) => Object.entries(labels).map((label) => label.join('=')),
  ),
);
const CONTAINERS = new Set(
  TEMPLATES.flatMap(({ pod }) => containersOf(pod)).map(({ name }) => name),
);

test('each alert has a test and a runbook, and each test and runbook has an alert', () => {
  const names = ALERTS.map(({ name }) => name).toSorted();
  const files = ['sightline', 'sightline-operator'].flatMap((chart) =>
    filesOf(`charts/${chart}/alerts`),
  );
  expect(files.map((path) => basename(path, '.yaml')).toSorted()).toEqual(names);
  expect(names.length).toBeGreaterThanOrEqual(20);
  const pages = readdirSync('docs/runbooks').filter((name) => name !== 'README.md');
  expect(pages.map((name) => basename(name, '.md')).toSorted()).toEqual(names);
  const tests = readdirSync('test/charts/alerts').map((name) => basename(name, '.yaml'));
  expect(tests.toSorted()).toEqual(names);
});

test('the list of runbooks matches the alerts', () => {
  const list = readFileSync('docs/runbooks/README.md', 'utf8');
  const rows = [...list.matchAll(/^\| \[(\w+)\]\((\w+)\.md\) +\| (\w+) +\| (.*?) +\|$/gm)];
  const desired = ALERTS.map(({ name, rule: { labels, annotations } }) => {
    return [name, name, labels.severity, annotations.summary];
  });
  expect(rows.map(([, ...cells]) => cells).toSorted()).toEqual(desired.toSorted());
});

describe.each(ALERTS)('$name', ({ name, page: address, rule }) => {
  test('has a severity, the URL of its runbook, and only existing metrics', () => {
    expect(['warning', 'critical']).toContain(rule.labels.severity);
    expect(address).toBe(`https://sightline.dev/docs/runbooks/${name}.md`);
    expect(unknownMetrics(rule.expr)).toEqual([]);
    expect(countsInnerRequests(rule.expr)).toBe(false);
  });

  test('has a runbook with three commands', () => {
    const page = readFileSync(`docs/runbooks/${name}.md`, 'utf8');
    const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(['What it means', 'What users notice', 'Commands', 'Remedies']);
    expect(commandsOf(page)).toHaveLength(3);
    expect(page).toContain(`# ${name}\n\n${rule.annotations.summary}\n`);
    expect(page).not.toMatch(/\b(some|no|any)body\b|\bwhoever\b/i);
  });

  // In CI the test runs, and fails, even without promtool.
  const testWithPromtool = existsSync(PROMTOOL) || process.env.CI === 'true' ? test : test.skip;
  const reason =
    testWithPromtool === test.skip ? ' [skipped: no promtool; make tools fetches it]' : '';
  testWithPromtool(`fires and clears${reason}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'sightline-alert-'));
    try {
      writeFileSync(join(folder, 'rules.yaml'), dump({ groups: [{ name, rules: [rule] }] }));
      cpSync(`test/charts/alerts/${name}.yaml`, join(folder, 'test.yaml'));
      const cases = (load(readFileSync(join(folder, 'test.yaml'), 'utf8')) as Cases).tests;
      const counts = cases.flatMap((one) => one.alert_rule_test.map((at) => at.exp_alerts.length));
      // In each file, the first case fires and then resolves. Further cases are optional.
      expect(counts.slice(0, 2)).toEqual([1, 0]);
      execFileSync(PROMTOOL, ['test', 'rules', 'test.yaml'], { cwd: folder, encoding: 'utf8' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

interface Cases {
  readonly tests: readonly {
    readonly alert_rule_test: readonly { readonly exp_alerts: readonly unknown[] }[];
  }[];
}

const commandsOf = (page: string) => /```\n([^`]*)\n```/.exec(page)?.[1]?.split('\n') ?? [];
/** The kubectl commands within sentences. Such a command may read an object from `echo`. */
const remediesOf = (page: string) =>
  Array.from(
    page.matchAll(/`((?:echo '[^`]*' \| )?kubectl [^`]+)`/g),
    ([, command = '']) => command,
  );

/** The arguments of kubectl in each command, as a shell parses them. */
function argumentsOf(commands: readonly string[]): readonly (readonly string[])[] {
  const script = `kubectl() { printf '%s\\0' "$@" '|'; }\n${commands.join('\n')}`;
  const given = execFileSync('bash', ['-euc', script], { encoding: 'utf8' });
  return given
    .split('\0|\0')
    .filter((call) => call !== '')
    .map((call) => call.split('\0'));
}

const optionOf = (args: readonly string[], option: string) =>
  args.flatMap((argument, index) => (argument === option ? [args[index + 1] ?? ''] : []));

/** The labels of a selector such as `a=b` or `a in (b, c)`. */
function labelsOf(selector: string): readonly string[] {
  const [, key, values] = /^(\S+) in \((.*)\)$/.exec(selector) ?? [];
  return values === undefined ? [selector] : values.split(', ').map((value) => `${key!}=${value}`);
}

test('commands of runbooks select existing pods, containers and columns', () => {
  const pages = ALERTS.map(({ name }) => readFileSync(`docs/runbooks/${name}.md`, 'utf8'));
  const commands = pages.flatMap((page) => [...commandsOf(page), ...remediesOf(page)]);
  expect(commands.length).toBeGreaterThan(3 * ALERTS.length + 5);
  const calls = argumentsOf(commands);
  expect(calls).toHaveLength(commands.length);
  const labels = calls.flatMap((args) => optionOf(args, '-l')).flatMap(labelsOf);
  expect(labels.filter((label) => !POD_LABELS.has(label))).toEqual([]);
  const containers = calls.flatMap((args) => optionOf(args, '-c'));
  expect(containers.filter((name) => !CONTAINERS.has(name))).toEqual([]);
  const columns = calls.flatMap((args) => optionOf(args, '-o')).filter((value) => value !== 'wide');
  expect(columns).toEqual([
    String.raw`custom-columns=NAME:.metadata.name,GPU:.status.allocatable.nvidia\.com/gpu`,
  ]);
});

test('the latency excludes routes for many images and for files of any size', () => {
  const { rule } = ALERTS.find(({ name }) => name === 'SightlineApiLatency')!;
  const left = new RegExp(`^${/route!~"([^"]+)"/.exec(rule.expr)![1]!}$`);
  const routes = Object.values(API_CONTRACTS).map(({ path }) => path.replace(/\{(\w+)\}/g, ':$1'));
  expect([...new Set(routes.filter((route) => left.test(route)))].toSorted()).toEqual([
    '/api/detect/bulk',
    '/api/detections/delete',
    '/api/detections/dismiss',
    '/api/detections/label',
    '/api/export',
    '/api/images/reprocess',
    '/api/import',
    '/api/jobs/:id/results',
    '/api/models/:id/activate',
    '/api/review/bulk',
    '/api/test/batch',
  ]);
});

test('components without pods are not reported as missing', () => {
  const ruleOf = (name: string) => rulesOf('embedded').find(({ alert }) => alert === name)!.expr;
  const missed = ruleOf('SightlineMetricsMissing').match(/component="\w+"/g);
  expect(missed).toEqual(['component="api"']);
  expect(ruleOf('SightlineRelayBehind')).toContain('topic=""');
});

test('there are four dashboards', () => {
  const names = ['inference', 'operator', 'service', 'stores'];
  // The names have a prefix, because Grafana's sidecar puts the files of all charts into one folder.
  const files = names.map((name) => `sightline-${name}`);
  expect(DASHBOARDS.map(({ name }) => name).toSorted()).toEqual(files);
});

test.each(DASHBOARDS)('each panel of $name has only existing metrics', (dashboard) => {
  const { expressions, variables } = dashboard;
  expect(expressions.length).toBeGreaterThan(5);
  expect(
    variables.flatMap((query) => (query === 'prometheus' ? [] : unknownMetrics(query))),
  ).toEqual([]);
  for (const panel of expressions) {
    expect(panel).not.toEqual([]);
    expect(panel.flatMap(unknownMetrics)).toEqual([]);
    expect(panel.filter(countsInnerRequests)).toEqual([]);
  }
});

test('GPU panels select by namespace in either label of the exporter', () => {
  const ofGpus = DASHBOARDS.flatMap(({ expressions }) => expressions.flat()).filter((expression) =>
    expression.includes('DCGM_'),
  );
  expect(ofGpus).toHaveLength(2);
  for (const expression of ofGpus) {
    expect(expression).toMatch(/^max by \(Hostname, gpu\)/);
    expect(expression).toMatch(/exported_namespace="\$namespace"\} or .*namespace="\$namespace"/);
  }
});
