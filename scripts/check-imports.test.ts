import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cruise } from './cruise.ts';

/**
 * An import that violates each rule: the file, and its import as a path from the root or the name of a
 * package. A rule of .dependency-cruiser.cjs without a row here fails the test.
 */
const VIOLATIONS: Readonly<Record<string, readonly [from: string, to: string]>> = {
  'no-circular': ['packages/platform/src/a/circle.ts', 'packages/platform/src/a/circle-back.ts'],
  'not-to-unresolvable': ['packages/platform/src/a/lost.ts', './missing.ts'],
  // Only the devDependencies of the root's package.json include fast-check, so production code may not import it.
  'production-dependencies': ['packages/engine/src/b.ts', 'fast-check'],
  contracts: ['packages/contracts/src/a.ts', 'packages/core/src/store/target.ts'],
  'contracts-cluster': ['packages/contracts/src/cluster/a.ts', 'packages/kube/src/target.ts'],
  'contracts-no-node': ['packages/contracts/src/b.ts', 'node:fs'],
  presentation: ['packages/presentation/src/a.ts', 'packages/platform/src/target.ts'],
  core: ['packages/core/src/models/a.ts', 'packages/platform/src/target.ts'],
  'core-kernel': ['packages/core/src/store/a.ts', 'packages/core/src/models/target.ts'],
  'core-entities': ['packages/core/src/models/b.ts', 'packages/core/src/database/target.ts'],
  'core-database': ['packages/core/src/database/a.ts', 'packages/core/src/matching/target.ts'],
  'core-matching': ['packages/core/src/matching/a.ts', 'packages/core/src/curation/target.ts'],
  'core-activities': ['packages/core/src/curation/a.ts', 'packages/core/src/newcomer/target.ts'],
  'core-activities-apart': [
    'packages/core/src/curation/b.ts',
    'packages/core/src/recognition/target.ts',
  ],
  'recognition-run': [
    'packages/core/src/recognition/run/a.ts',
    'packages/core/src/recognition/target.ts',
  ],
  'recognition-state': [
    'packages/core/src/recognition/state/a.ts',
    'packages/core/src/recognition/target.ts',
  ],
  'recognition-plan': [
    'packages/core/src/recognition/plan/a.ts',
    'packages/core/src/recognition/target.ts',
  ],
  'recognition-result': [
    'packages/core/src/recognition/result/a.ts',
    'packages/core/src/recognition/target.ts',
  ],
  'recognition-import': [
    'packages/core/src/recognition/import/a.ts',
    'packages/core/src/recognition/target.ts',
  ],
  'core-activation': ['packages/core/src/activation/a.ts', 'packages/core/src/newcomer/target.ts'],
  'core-transfer': ['packages/core/src/transfer/a.ts', 'packages/core/src/newcomer/target.ts'],
  'core-folders-known': ['packages/core/src/newcomer/a.ts', 'packages/core/src/newcomer/target.ts'],
  'core-no-mutual-folders': ['packages/core/src/models/c.ts', 'packages/core/src/jobs/b.ts'],
  engine: ['packages/engine/src/a.ts', 'packages/platform/src/target.ts'],
  'model-preparation': ['packages/model-preparation/src/a.ts', 'packages/core/src/store/target.ts'],
  'one-file-imports-onnxruntime': ['packages/engine/src/c.ts', 'onnxruntime-node'],
  'platform-logging-and-resilience-apart': [
    'packages/platform/src/logging/a.ts',
    'packages/platform/src/resilience/target.ts',
  ],
  'api-context-below': ['apps/api/src/context/a.ts', 'apps/api/src/http/target.ts'],
  'api-auth-below': ['apps/api/src/auth/a.ts', 'apps/api/src/context/target.ts'],
  platform: ['packages/platform/src/a/b.ts', 'packages/core/src/store/target.ts'],
  'adapters-by-technology': [
    'packages/adapters/media/src/a.ts',
    'packages/adapters/media/src/target.ts',
  ],
  'analysis-local': ['packages/adapters/analysis/src/local/a.ts', 'pg'],
  postgres: ['packages/adapters/postgres/src/a.ts', 'packages/engine/src/target.ts'],
  'embedded-postgres': ['packages/embedded-postgres/src/a.ts', 'packages/core/src/store/target.ts'],
  'archive-zip': ['packages/adapters/archive-zip/src/a.ts', 'packages/platform/src/target.ts'],
  'media-fs': ['packages/adapters/media/src/fs/a.ts', 'minio'],
  'media-s3': ['packages/adapters/media/src/s3/a.ts', 'pg'],
  'models-kubernetes': [
    'packages/adapters/models-kubernetes/src/a.ts',
    'packages/engine/src/target.ts',
  ],
  'analysis-http': ['packages/adapters/analysis/src/http/a.ts', 'packages/engine/src/target.ts'],
  'openid-connect': ['packages/adapters/openid-connect/src/a.ts', 'pg'],
  'vectors-qdrant': ['packages/adapters/vectors/src/qdrant/a.ts', 'pg'],
  'vectors-embedded': ['packages/adapters/vectors/src/embedded/a.ts', 'pg'],
  composition: ['packages/composition/src/a.ts', 'packages/engine/src/target.ts'],
  'model-host': ['packages/model-host/src/a.ts', 'packages/contracts/src/target.ts'],
  'model-downloads': ['packages/model-downloads/src/a.ts', 'packages/platform/src/target.ts'],
  'zip-reading': [
    'packages/adapters/archive-zip/src/zip-reading/a.ts',
    'packages/platform/src/target.ts',
  ],
  inference: ['apps/inference/src/a.ts', 'packages/contracts/src/target.ts'],
  api: ['apps/api/src/a.ts', 'packages/engine/src/target.ts'],
  background: ['apps/background/src/a.ts', 'packages/engine/src/target.ts'],
  'background-tasks': ['apps/background/src/tasks/a.ts', 'packages/contracts/src/target.ts'],
  'events-webhooks': [
    'packages/adapters/events/src/webhooks/a.ts',
    'packages/contracts/src/target.ts',
  ],
  'events-embedded': ['packages/adapters/events/src/embedded/a.ts', 'kafkajs'],
  'events-kafka': ['packages/adapters/events/src/kafka/a.ts', 'pg'],
  kube: ['packages/kube/src/a.ts', 'packages/platform/src/target.ts'],
  operator: ['operator/src/a.ts', 'packages/core/src/store/target.ts'],
  'operator-runtime': ['operator/src/runtime/a.ts', 'operator/src/plan/target.ts'],
  'operator-plan': ['operator/src/plan/a.ts', 'operator/src/children/target.ts'],
  relay: ['apps/background/src/relay/a.ts', 'kafkajs'],
  models: ['apps/models/src/a.ts', 'express'],
  dispatcher: ['apps/background/src/dispatcher/a.ts', 'packages/presentation/src/target.ts'],
  projector: ['apps/background/src/projector/a.ts', 'packages/presentation/src/target.ts'],
  worker: ['apps/background/src/worker/a.ts', 'packages/engine/src/target.ts'],
  cli: ['apps/cli/src/a.ts', 'packages/engine/src/target.ts'],
  demo: ['apps/demo/src/a.ts', 'packages/core/src/store/target.ts'],
  'dev-platform': ['apps/dev-platform/src/a.ts', 'packages/core/src/store/target.ts'],
  standalone: ['apps/standalone/src/a.ts', 'apps/background/src/worker/target.ts'],
  console: ['apps/console/src/a.ts', 'packages/core/src/store/target.ts'],
  'console-pages-above': ['apps/console/src/frame/a.ts', 'apps/console/src/pages/try/target.ts'],
  'console-pages-apart': [
    'apps/console/src/pages/review/a.ts',
    'apps/console/src/pages/image/target.ts',
  ],
  'console-build': ['apps/console/build/a.ts', 'packages/core/src/store/target.ts'],
  'acceptance-talks-http': ['test/acceptance/a.ts', 'packages/core/src/store/target.ts'],
};

/** Further imports for the rules that one import alone cannot violate. */
const BESIDE: readonly (readonly [from: string, to: string])[] = [
  ['packages/platform/src/a/circle-back.ts', 'packages/platform/src/a/circle.ts'],
  ['packages/core/src/jobs/a.ts', 'packages/core/src/models/target.ts'],
];

const ROOT = resolve(import.meta.dirname, '..');
const RULES = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as {
  forbidden: readonly { readonly name: string }[];
};

let folder: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'sightline-imports-')));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function plant(from: string, to: string): Promise<void> {
  const isPath = to.includes('/') && !to.startsWith('.') && to.endsWith('.ts');
  const local = relative(dirname(from), to);
  const specifier = isPath ? (local.startsWith('.') ? local : `./${local}`) : to;
  if (isPath && !Object.values(VIOLATIONS).some(([other]) => other === to)) {
    await write(to, 'export {};\n');
  }
  if (!isPath && !to.includes(':') && !to.startsWith('.')) {
    await write(`node_modules/${to}/index.js`, 'export {};\n');
    await write(`node_modules/${to}/package.json`, `{ "name": "${to}", "main": "index.js" }\n`);
  }
  await write(from, `import '${specifier}';\n`);
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

test('each import rule finds the violation that was planted for it', async () => {
  for (const name of ['.dependency-cruiser.cjs', 'package.json', 'tsconfig.json']) {
    await cp(join(ROOT, name), join(folder, name));
  }
  for (const [from, to] of [...Object.values(VIOLATIONS), ...BESIDE]) await plant(from, to);
  const report = cruise(folder, ['apps', 'operator', 'packages', 'test']);
  const found = new Set(report.summary.violations.map(({ rule }) => rule.name));

  const rules = RULES.forbidden.map(({ name }) => name).sort();
  expect(Object.keys(VIOLATIONS).sort()).toEqual(rules);
  expect([...found].sort()).toEqual(rules);
});
