import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { parseConfig } from '@sightline/platform/config/parse-config';
import { ALL_GROUPS, VARIABLES } from '@sightline/platform/config/variable-groups';
import { neededRights } from '@sightline/operator/rights';
import {
  type Container,
  containersOf,
  podTemplates,
  renderingOf,
  RENDERINGS,
} from '../support/charts/rendered.ts';

const PODS = RENDERINGS.flatMap(podTemplates);
const isOurs = ({ image }: Container) => /\/?sightline[:@]/.test(image);
const PROCESSES = PODS.flatMap(({ place, pod }) =>
  containersOf(pod)
    .filter(isOurs)
    .map((container) => ({ place: `${place}, ${container.name}`, container })),
);
const mainOf = ({ args = [] }: Container): string =>
  args.find((arg) => !arg.startsWith('--')) ?? '';
const variablesOf = ({ env = [] }: Container) =>
  env.filter(({ name }) => name.startsWith('SIGHTLINE_'));

test('the renderings contain many pods', () => {
  expect(PODS.length).toBeGreaterThan(20);
  expect(PROCESSES.length).toBeGreaterThan(30);
});

describe.each(PODS)('$place', ({ pod, manifest }) => {
  test('meets the restricted Pod Security level, with a read-only root file system', () => {
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: expect.any(Number),
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect([pod.hostNetwork, pod.hostPID]).toEqual([undefined, undefined]);
    for (const { securityContext } of containersOf(pod)) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
    const kinds = (pod.volumes ?? []).flatMap((volume) =>
      Object.keys(volume).filter((key) => key !== 'name'),
    );
    const ALLOWED = ['configMap', 'emptyDir', 'ephemeral', 'projected', 'secret'];
    expect(kinds.filter((kind) => !ALLOWED.includes(kind))).toEqual([]);
  });

  test('limits what is written to the disk of its node', () => {
    const emptyDirs = (pod.volumes ?? []).filter((volume) => 'emptyDir' in volume);
    const limited = { emptyDir: { sizeLimit: expect.stringMatching(/i$/) } };
    expect(emptyDirs).toEqual(emptyDirs.map(({ name }) => ({ name, ...limited })));
  });

  test('mounts only its volumes', () => {
    // A volume has a name and exactly one type. The claim of a StatefulSet is an additional volume, `data`.
    expect((pod.volumes ?? []).filter((volume) => Object.keys(volume).length !== 2)).toEqual([]);
    const volumes = ['data', ...(pod.volumes ?? []).map(({ name }) => name)];
    const mounted = containersOf(pod).flatMap(({ volumeMounts }) => volumeMounts);
    expect(mounted.filter(({ name }) => !volumes.includes(name))).toEqual([]);
  });

  test('sets whether it gets a token, has a service account, requests a share of its node, and limits its memory', () => {
    expect(typeof pod.automountServiceAccountToken).toBe('boolean');
    expect(pod.serviceAccountName).toMatch(/./);
    for (const { resources } of containersOf(pod)) {
      expect(resources).toMatchObject({
        requests: {
          cpu: expect.anything(),
          memory: expect.anything(),
          'ephemeral-storage': expect.anything(),
        },
        limits: { memory: expect.anything() },
      });
      // There is no CPU limit, because throttling slows a process down without a visible reason.
      expect(resources.limits.cpu).toBeUndefined();
    }
  });

  test('has probes if it is a Deployment', () => {
    if (manifest.kind !== 'Deployment') return;
    for (const { livenessProbe, readinessProbe } of pod.containers) {
      expect([livenessProbe, readinessProbe]).toEqual([
        expect.objectContaining({ httpGet: { path: '/livez', port: 'ops' }, timeoutSeconds: 5 }),
        expect.objectContaining({ httpGet: { path: '/readyz', port: 'ops' }, timeoutSeconds: 5 }),
      ]);
    }
  });
});

describe.each(PROCESSES)('$place', ({ container }) => {
  const environment = Object.fromEntries(
    variablesOf(container).map((each) => [each.name, each.value]),
  );

  test('has only variables with valid values, and no secrets', () => {
    expect(parseConfig(environment, ALL_GROUPS).warnings).toEqual([]);
    const secret = Object.values(VARIABLES)
      .filter((variable) => 'secret' in variable)
      .map(({ name }): string => name);
    expect(Object.keys(environment).filter((name) => secret.includes(name))).toEqual([]);
  });

  test('reads only mounted files and those of the image', () => {
    const mounts = container.volumeMounts.map(({ mountPath }) => mountPath);
    const known = [...mounts, '/app/'];
    const files = Object.values(environment).filter((value) => value?.startsWith('/'));
    expect(files.filter((file) => !known.some((at) => file!.startsWith(at)))).toEqual([]);
    expect(mounts).toContain('/tmp');
  });
});

/** The programs of all containers. */
const MAINS = [...new Set(PROCESSES.map(({ container }) => mainOf(container)))].toSorted();

test('the chart runs all programs, except those of the operator and those for a single machine', () => {
  expect(MAINS).toEqual([
    'apps/api/src/main.ts',
    'apps/background/src/dispatcher/main.ts',
    'apps/background/src/projector/main.ts',
    'apps/background/src/relay/main.ts',
    'apps/background/src/worker/main.ts',
    'apps/cli/src/main.ts',
    'apps/standalone/src/main.ts',
    'operator/main.ts',
    'operator/src/crds/main.ts',
  ]);
});

describe.each(MAINS.filter((main) => main.startsWith('apps/')))('%s', (main) => {
  const containers = PROCESSES.map(({ container }) => container).filter(
    (each) => mainOf(each) === main,
  );

  test('exists', () => {
    expect(existsSync(main)).toBe(true);
  });

  test('reads all variables that it gets', async () => {
    if (main.startsWith('apps/cli/')) return;
    const { stdout } = await promisify(execFile)(process.execPath, [main, '--help']);
    const read = stdout.match(/SIGHTLINE_\w+/g)!;
    const given = containers.flatMap(variablesOf).map(({ name }) => name);
    expect(given.filter((name) => !read.includes(name))).toEqual([]);
  });

  test('gets the variables that it needs', () => {
    for (const container of containers) {
      const given = variablesOf(container).map(({ name }) => name);
      expect(NEEDS[main]!.filter((name) => !given.includes(name))).toEqual([]);
    }
  });
});

const STORES = ['SIGHTLINE_DATABASE_URL_FILE'];
const SERVICE = [
  ...STORES,
  'SIGHTLINE_HOST',
  'SIGHTLINE_S3_ENDPOINT',
  'SIGHTLINE_S3_ACCESS_KEY_FILE',
  'SIGHTLINE_S3_SECRET_KEY_FILE',
  'SIGHTLINE_INFERENCE_URL',
  'SIGHTLINE_INFERENCE_KEY_FILE',
];
/** The required variables of each program. Without them it fails to start, or is unreachable. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  'apps/api/src/main.ts': [...SERVICE, 'SIGHTLINE_QDRANT_URL', 'SIGHTLINE_SECRET_KEY_FILE'],
  'apps/standalone/src/main.ts': [...SERVICE, 'SIGHTLINE_DATA', 'SIGHTLINE_SECRET_KEY_FILE'],
  'apps/background/src/worker/main.ts': [...SERVICE, 'SIGHTLINE_QDRANT_URL'],
  'apps/background/src/relay/main.ts': [...STORES, 'SIGHTLINE_HOST', 'SIGHTLINE_KAFKA_BROKERS'],
  'apps/background/src/projector/main.ts': [...STORES, 'SIGHTLINE_HOST'],
  'apps/background/src/dispatcher/main.ts': [
    ...STORES,
    'SIGHTLINE_HOST',
    'SIGHTLINE_SECRET_KEY_FILE',
  ],
  // The command that creates passwords needs no variables, because there is no database yet.
  'apps/cli/src/main.ts': [],
};

describe.each(RENDERINGS)('$name', ({ text, manifests }) => {
  test('contains no secrets', () => {
    expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    expect(text).not.toMatch(/:\/\/[^\s/'"]*:[^\s/'"]*@/);
  });

  test('grants no rights by a wildcard, and no right to read Secrets', () => {
    for (const { kind, metadata, rules = [] } of manifests) {
      for (const { apiGroups, resources, verbs } of rules) {
        expect([...apiGroups, ...resources, ...verbs]).not.toContain('*');
        if (!resources.includes('secrets')) continue;
        expect([kind, metadata.name, verbs]).toEqual(['Role', 'sl-secrets', ['create']]);
      }
    }
  });

  test('has names that are strings, even if they look like numbers', () => {
    expect(JSON.stringify(manifests)).not.toMatch(/"(name|secretName|key)":[^"]/i);
  });

  test('has the recommended labels, and no two objects with the same name', () => {
    const names = manifests.map(({ kind, metadata: { name, namespace } }) =>
      [kind, namespace, name].join(' '),
    );
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    for (const { metadata } of manifests) {
      expect(Object.keys(metadata.labels)).toEqual(
        expect.arrayContaining([
          'app.kubernetes.io/component',
          'app.kubernetes.io/instance',
          'app.kubernetes.io/managed-by',
          'app.kubernetes.io/name',
          'app.kubernetes.io/part-of',
          'app.kubernetes.io/version',
          'helm.sh/chart',
        ]),
      );
    }
  });
});

test('only the migration has the URL of the database owner', () => {
  const holders = PODS.filter(({ pod }) => JSON.stringify(pod).includes('-owner')).map(
    ({ manifest }) => manifest.metadata.name.replace(/-[0-9a-f]{10}$/, ''),
  );
  expect(new Set(holders)).toEqual(new Set(['sl-migrate', 'sl-postgres']));
});

test('Jobs that fetch models get the proxy, and may reach its port', () => {
  const installationOf = (name: string) =>
    renderingOf(name).manifests.find(
      ({ metadata }) => metadata.name === 'sightline-installation',
    ) as { readonly data: Readonly<Record<string, string>> } | undefined;
  const { proxy, noProxy, fetchEgress, inferenceEgress } = installationOf('embedded')!.data;
  expect({ proxy, noProxy }).toEqual({
    proxy: 'http://proxy.example.org:3128',
    noProxy: 'mirror.example.org,10.0.0.7',
  });
  const to = [{ ipBlock: { cidr: '10.0.0.9/32' } }];
  const rule = { ports: [{ port: 3128, protocol: 'TCP' }], to };
  expect(JSON.parse(fetchEgress!)).toContainEqual(rule);
  expect(JSON.parse(inferenceEgress!)).not.toContainEqual(rule);
  expect(installationOf('production')!.data).toMatchObject({ proxy: '', noProxy: '' });
});

test('an image_url of a cluster leads to public addresses only, unless the values say otherwise', () => {
  const readers = ['apps/api', 'apps/background/src/worker', 'apps/standalone'];
  const containers = PROCESSES.map(({ container }) => container).filter((each) =>
    readers.some((folder) => mainOf(each).startsWith(folder)),
  );
  const values = containers.map(
    ({ env = [] }) => env.find(({ name }) => name === 'SIGHTLINE_URL_FETCH_PRIVATE')?.value,
  );
  expect(new Set(values)).toEqual(new Set(['off', 'on']));
  expect(values.filter((value) => value === 'on')).toHaveLength(1);
});

test('every process that has a database names its roles alike', () => {
  const suffixes = PROCESSES.flatMap(({ place, container: { env = [] } }) => {
    if (!env.some(({ name }) => name === 'SIGHTLINE_DATABASE_URL_FILE')) return [];
    const suffix = env.find(({ name }) => name === 'SIGHTLINE_DATABASE_ROLE_SUFFIX')?.value;
    return [`${/^\w+/.exec(place)![0]} ${suffix}`];
  });
  expect([...new Set(suffixes)].toSorted()).toEqual([
    'embedded 8',
    'production undefined',
    'quickstart undefined',
  ]);
});

test('autoscaled Deployments have no replicas', () => {
  const { manifests } = renderingOf('production');
  const scaled = manifests.filter(({ kind }) => kind === 'HorizontalPodAutoscaler');
  expect(scaled.map(({ metadata }) => metadata.name)).toEqual(['sl-api']);
  const api = manifests.find(
    ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'sl-api',
  );
  expect(api!.spec!.replicas).toBeUndefined();
});

test('the production values run two pods of each model, and no release sets the active model', () => {
  const { manifests } = renderingOf('production');
  const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
  expect(ofKind('InferenceModel').map(({ spec }) => spec!.replicas)).toEqual([2]);
  expect(ofKind('InferenceRoute').map(({ spec }) => Object.keys(spec!))).toEqual([
    ['defaultModel'],
  ]);
});

test('the strategy Recreate has no settings of rolling updates', () => {
  const { manifests } = renderingOf('embedded');
  const api = manifests.find(({ kind }) => kind === 'Deployment');
  expect(api!.spec!.strategy).toEqual({ type: 'Recreate' });
});

test('the init container that waits for the schema has the same client certificates as its process', () => {
  const holders = podTemplates(renderingOf('embedded')).flatMap(({ pod }) => containersOf(pod));
  const withClient = holders.filter(({ volumeMounts }) =>
    volumeMounts.some(({ mountPath }) => mountPath === '/etc/client'),
  );
  const names = withClient.map(({ name }) => name).toSorted();
  expect(names).toEqual(['api', 'await-schema', 'migrate', 'one-photo']);
});

test('only pods that call the Kubernetes API get a token', () => {
  const holders = (name: string) =>
    podTemplates(renderingOf(name))
      .filter(({ pod }) => pod.automountServiceAccountToken)
      .map(({ manifest }) => manifest.metadata.name);
  expect(holders('production')).toEqual(['sl-api', 'sl-worker', 'sl-uninstall']);
  // In this rendering the API pods run the worker's background tasks, which use the token. Git owns the routes, so
  // there is no uninstall Job that would delete them.
  expect(holders('embedded')).toEqual(['sl-api']);
});

test('an operator may write only its own Lease', () => {
  const leases = ['operator', 'operator-namespaced', 'quickstart'].map((name) => {
    const { manifests } = renderingOf(name);
    const env = PODS.filter(({ place }) => place.startsWith(`${name}: `))
      .flatMap(({ pod }) => containersOf(pod))
      .flatMap((container) => container.env ?? []);
    const rules = manifests.flatMap((manifest) => manifest.rules ?? []);
    const named = rules.filter(({ resources }) => resources.includes('leases'));
    const lease = env.find((variable) => variable.name === 'SIGHTLINE_LEASE_NAME')?.value;
    expect(named.flatMap(({ resourceNames = [] }) => resourceNames)).toEqual([lease]);
    return lease;
  });
  expect(leases).toEqual(['sightline-operator', 'operator', 'sightline-operator']);
});

/** The roles of the operator, without those of people and of the Job that applies the CRDs. */
const ROLES = ['sightline-system:operator', 'operator-leader'];

test('an operator has the rights that it needs, and no others', () => {
  const granted = renderingOf('operator')
    .manifests.filter(({ metadata: { name } }) => ROLES.includes(name))
    .flatMap(({ rules = [] }) => rules)
    .flatMap(({ apiGroups, resources, verbs, resourceNames = [''] }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) =>
          verbs.flatMap((verb) => resourceNames.map((name) => [verb, group, resource, name])),
        ),
      ),
    );
  const lease = { namespace: 'sightline-system', name: 'sightline-operator' };
  const needed = neededRights({ namespaces: null, lease }).map(
    ({ verb, group, resource, subresource, name = '' }) => [
      verb,
      group,
      subresource === undefined ? resource : `${resource}/${subresource}`,
      name,
    ],
  );
  const sorted = (rights: readonly (readonly string[])[]) =>
    rights.map((right) => right.join(' ')).toSorted();
  expect(sorted(granted)).toEqual(sorted(needed));
});

test('no policy of the production values allows egress to any address', () => {
  const policies = renderingOf('production').manifests.filter(
    ({ kind }) => kind === 'NetworkPolicy',
  );
  const names = policies.map(({ metadata }) => metadata.name);
  const hooksAndProcesses = ['sl-api', 'sl-migrate', 'sl-uninstall', 'sl-worker'];
  expect(names).toEqual(expect.arrayContaining(hooksAndProcesses));
  const anywhere = policies.flatMap(({ metadata, spec }) =>
    spec!.egress!.filter(({ to = [] }) => to.length === 0).map(() => metadata.name),
  );
  expect(anywhere).toEqual([]);
});

test('a quickstart requests at most 2 CPUs and 4 GiB, including its models', () => {
  const { manifests } = renderingOf('quickstart');
  const asked = [
    ...podTemplates(renderingOf('quickstart'))
      .filter(({ manifest }) => ['Deployment', 'StatefulSet'].includes(manifest.kind))
      .flatMap(({ manifest, pod }) =>
        Array.from({ length: manifest.spec!.replicas! }, () => pod.containers).flat(),
      ),
    ...manifests.flatMap(({ spec }) => spec?.runtime ?? []),
  ].map(({ resources }) => resources.requests);
  const sum = (name: 'cpu' | 'memory') =>
    asked.reduce((total, requests) => total + amountOf(requests[name]), 0);
  expect(sum('cpu')).toBeLessThanOrEqual(2);
  expect(sum('memory')).toBeLessThanOrEqual(4 * 1024 ** 3);
});

function amountOf(quantity: string | number): number {
  const [, number, unit = ''] = /^(\d+)(m|Mi|Gi)?$/.exec(String(quantity))!;
  return Number(number) * { '': 1, m: 0.001, Mi: 1024 ** 2, Gi: 1024 ** 3 }[unit]!;
}

test('the quickstart has the same store images as the tests', () => {
  const source = readFileSync('apps/dev-platform/src/kafka-image.ts', 'utf8');
  const images = podTemplates(renderingOf('quickstart')).flatMap(({ pod }) =>
    pod.containers.map(({ image }) => image),
  );
  expect(images).toContain(/'(apache\/kafka:[^']+)'/.exec(source)![1]);
  expect(images).toContainEqual(expect.stringMatching(/^qdrant\/qdrant:v1\.19\.0/));
});
