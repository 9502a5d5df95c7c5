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
import { inferenceLabels } from '@sightline/operator/plan/labels';
import { dump, load, loadAll } from 'js-yaml';
import { podTemplates, RENDERINGS } from '../support/charts/rendered.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
}
interface Dashboard {
  readonly templating: { readonly list: readonly { readonly query: string }[] };
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
}

const PROMTOOL = resolve('.cache/cluster/prometheus/usr/bin/promtool');
const filesOf = (folder: string) => readdirSync(folder).map((name) => join(folder, name));
const ALERTS = ['sightline', 'sightline-operator']
  .flatMap((chart) => filesOf(`charts/${chart}/alerts`))
  .map((path) => ({
    name: basename(path, '.yaml'),
    rule: load(readFileSync(path, 'utf8')) as Rule,
  }));
const DASHBOARDS = filesOf('charts/sightline/dashboards').map((path) => {
  const { panels, templating } = JSON.parse(readFileSync(path, 'utf8')) as Dashboard;
  return {
    name: basename(path, '.json'),
    expressions: panels.map(({ targets }) => targets.map(({ expr }) => expr)),
    variables: templating.list.map(({ query }) => query),
  };
});

/** What others export: the operator's by the names of all operators, kube-state-metrics', MinIO's, DCGM's. */
const OTHERS = [
  'leader_election_master_status',
  'controller_runtime_reconcile_errors_total',
  'kube_job_status_failed',
  'kube_job_status_succeeded',
  'minio_cluster_capacity_usable_free_bytes',
  'minio_cluster_capacity_usable_total_bytes',
  'DCGM_FI_DEV_GPU_UTIL',
  'DCGM_FI_DEV_FB_USED',
];
/** The table is computed from the code, and compared with it by `make check`. */
const OURS = [...readFileSync('docs/metrics.md', 'utf8').matchAll(/^\| `(\w+)` +\| (\w+)/gm)];
const EXPORTED = new Set([
  ...OTHERS,
  ...OURS.flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  ),
]);

/** Names of labels and functions have no such prefix. */
function unknownMetrics(expression: string): readonly string[] {
  const names = expression.match(/\b(?:sightline|leader|controller|kube|minio|DCGM)_\w+/g) ?? [];
  expect(names).not.toEqual([]);
  return names.filter((name) => !EXPORTED.has(name));
}

/** Inference pods answer requests of API pods, and count them by the same names. */
function countsInnerRequests(expression: string): boolean {
  const selectors = expression.match(/sightline_http_\w+\{[^}]*\}/g) ?? [];
  return selectors.some((selector) => !selector.includes('app_kubernetes_io_component="api"'));
}

/** Of pods: those of the charts, and those of the operator. */
const POD_LABELS = new Set(
  [...RENDERINGS.flatMap(podTemplates).map(({ labels }) => labels), inferenceLabels('a')].flatMap(
    (labels) => Object.entries(labels).map((label) => label.join('=')),
  ),
);

test('every alert has a test and a page, and every test and page an alert', () => {
  const names = ALERTS.map(({ name }) => name).toSorted();
  expect(names.length).toBeGreaterThanOrEqual(20);
  const pages = readdirSync('docs/runbooks').filter((name) => name !== 'README.md');
  expect(pages.map((name) => basename(name, '.md')).toSorted()).toEqual(names);
  const tests = readdirSync('test/charts/alerts').map((name) => basename(name, '.yaml'));
  expect(tests.toSorted()).toEqual(names);
});

describe.each(ALERTS)('$name', ({ name, rule }) => {
  test('has its name, a severity, and metrics that exist', () => {
    expect(rule.alert).toBe(name);
    expect(['warning', 'critical']).toContain(rule.labels.severity);
    expect(unknownMetrics(rule.expr)).toEqual([]);
  });

  test('has a page with three commands', () => {
    const page = readFileSync(`docs/runbooks/${name}.md`, 'utf8');
    const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(['What it means', 'What users notice', 'Commands', 'Remedies']);
    const commands = /```\n([^`]*)\n```/.exec(page)?.[1]?.split('\n');
    expect(commands).toHaveLength(3);
    const selectors = page.matchAll(/ -l (\S+)/g);
    const unknown = [...selectors].filter(([, label = '']) => !POD_LABELS.has(label));
    expect(unknown.map(([, label]) => label)).toEqual([]);
  });

  // CI must not pass without it.
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
      expect(counts).toEqual([1, 0]);
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

test('charts render every alert as it is, with the address of its page', () => {
  const rendered = ['production', 'operator-namespaced']
    .flatMap((name) => loadAll(readFileSync(`test/charts/rendered/${name}.yaml`, 'utf8')))
    .map((object) => object as { readonly kind: string; readonly spec: Rules } | null)
    .flatMap((object) => (object?.kind === 'PrometheusRule' ? object.spec.groups : []))
    .flatMap(({ rules }) => rules);
  const wanted = ALERTS.map(({ rule }) => {
    const runbook_url = `https://sightline.dev/docs/runbooks/${rule.alert}.md`;
    return { ...rule, annotations: { ...rule.annotations, runbook_url } };
  });
  expect(rendered).toEqual(wanted);
});

interface Rules {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
}

test('there are four dashboards', () => {
  const names = ['inference', 'operator', 'service', 'stores'];
  // The sidecar of Grafana puts the files of all charts into one folder.
  const files = names.map((name) => `sightline-${name}`);
  expect(DASHBOARDS.map(({ name }) => name).toSorted()).toEqual(files);
});

test.each(DASHBOARDS)('every panel of $name has metrics that exist', (dashboard) => {
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

test('a GPU is one of its node, in whichever label the exporter names the namespace', () => {
  const ofGpus = DASHBOARDS.flatMap(({ expressions }) => expressions.flat()).filter((expression) =>
    expression.includes('DCGM_'),
  );
  expect(ofGpus).toHaveLength(2);
  for (const expression of ofGpus) {
    expect(expression).toMatch(/^max by \(Hostname, gpu\)/);
    expect(expression).toMatch(/exported_namespace="\$namespace"\} or .*namespace="\$namespace"/);
  }
});
