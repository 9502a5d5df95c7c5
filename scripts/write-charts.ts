import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { writeComputed } from './write-computed.ts';

/**
 * Renders the charts into files that tests read, and that show reviewers the effect of a change. With
 * `--check` it writes nothing, and fails if a file is out of date. It needs Helm, which `make test-cluster`
 * builds, and does nothing without it.
 */
const HELM = resolve('.cache/cluster/bin/helm');
const [PLATFORM, OPERATOR] = ['charts/sightline', 'charts/sightline-operator'];
const IN = '--namespace=photos';
/**
 * The charts with different values, each rendered as an upgrade, because an installation omits objects that
 * only upgrades have.
 */
const RENDERINGS = {
  quickstart: ['sl', PLATFORM, IN, `--values=${PLATFORM}/values-quickstart.yaml`],
  production: ['sl', PLATFORM, IN, `--values=${PLATFORM}/values-production.yaml`],
  embedded: ['sl', PLATFORM, IN, '--values=test/charts/values-embedded.yaml'],
  operator: ['operator', OPERATOR, '--namespace=sightline-system'],
  'operator-namespaced': [
    'operator',
    OPERATOR,
    '--namespace=sightline-system',
    '--set=watchNamespaces={photos,films},requireDigests=true,podMonitor.enabled=true,monitoring.prometheusRule.enabled=true',
    '--set-json=networkPolicy.metricsFrom=[{"namespaceSelector":{}}]',
  ],
};

if (existsSync(HELM)) {
  const files = new Map<string, string>();
  for (const [name, args] of Object.entries(RENDERINGS)) {
    const command = ['template', ...args, '--is-upgrade', '--kube-version=1.36.3'];
    // Ignores stderr, where Helm reports that it follows a link.
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    const text = execFileSync(HELM, command, { encoding: 'utf8', stdio: [...stdio] });
    files.set(`test/charts/rendered/${name}.yaml`, text);
  }
  await writeComputed(files);
} else {
  console.log('The charts are not rendered: there is no Helm; make test-cluster builds one.');
}
