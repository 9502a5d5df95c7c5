import { execFileSync } from 'node:child_process';
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MODEL_CATALOG } from '@sightline/core/models/model-catalog';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { temporaryFolder } from '@sightline/test/support/fixtures/temporary-folder';
import { readCatalog } from './read-catalog.ts';

const ENTRY = {
  name: 'our-faces',
  task: 'face',
  version: '2',
  license: 'Proprietary',
  commercial_use: true,
};

let resources: AsyncDisposableStack;
let folder: string;
let path: string;

beforeAll(async () => {
  resources = new AsyncDisposableStack();
  folder = resources.use(await temporaryFolder()).path;
  path = join(folder, 'catalog.json');
});
afterAll(() => resources.disposeAsync());

async function read(content: unknown) {
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return readCatalog(path);
}

async function refusal(reading: Promise<unknown>): Promise<string> {
  const error: unknown = await reading.then(
    () => Promise.reject(new Error('The catalog was accepted.')),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StartError);
  const { message } = error as StartError;
  expect(message).toContain(`${path} (SIGHTLINE_MODEL_CATALOG) cannot be used: `);
  return message;
}

const withFile = (file: object) => [{ ...ENTRY, files: [file] }];
const at = (address: string) => withFile({ address });

test('without a file, the catalog is the built-in one', async () => {
  expect(await readCatalog(null)).toBe(MODEL_CATALOG);
  expect(await read([])).toEqual(MODEL_CATALOG);
});

test('an entry is added, also without its optional members', async () => {
  const catalog = await read([ENTRY]);
  expect(catalog).toHaveLength(MODEL_CATALOG.length + 1);
  expect(catalog.at(-1)).toEqual({
    name: 'our-faces',
    task: 'face',
    version: '2',
    license: 'Proprietary',
    commercialUse: true,
    commercialUseReason: null,
    provides: [],
    embeddingDim: null,
    classes: [],
    files: [],
  });
});

test('an entry replaces the built-in entry of the same name', async () => {
  const catalog = await read([{ ...ENTRY, name: 'buffalo_l' }]);
  expect(catalog).toHaveLength(MODEL_CATALOG.length);
  expect(catalog.filter(({ name }) => name === 'buffalo_l')).toMatchObject([{ version: '2' }]);
});

test.each([
  'https://example.org/pack.zip?signature=1',
  'http://example.org/pack.zip',
  's3://models/deep/pack.zip',
  'file:///srv/models/pack.zip',
  '/srv/models/pack.zip',
])('%s is an address', async (address) => {
  const file = { address, sha256: 'a'.repeat(64), bytes: 2 ** 31 - 1 };
  expect((await read(withFile(file))).at(-1)!.files).toEqual([file]);
});

test.each([
  'ftp://example.org/pack.zip',
  'data:,pack',
  'starter:faces',
  'javascript:0',
  'models/pack.zip',
  '../pack.zip',
  's3://models',
  's3://models/',
  's3:///pack.zip',
  's3://models/%zz',
  'file://server/pack.zip',
  'file:///%zz',
  'http://',
  '',
])('%j is refused as an address', async (address) => {
  expect(await refusal(read(at(address)))).toMatch(
    /files\.0\.address of entry 0 \(our-faces\): must be a URL/,
  );
});

const SECRET = 'swordfish';

test.each([
  ['credentials in an address', at(`https://user:${SECRET}@example.org/pack.zip`)],
  ['a password alone', at(`https://:${SECRET}@example.org/pack.zip`)],
  ['a key in front of a bucket', at(`s3://${SECRET}@models/pack.zip`)],
  ['a signature behind an unknown protocol', at(`ftps://example.org/?signature=${SECRET}`)],
  ['an address for a name', [{ ...ENTRY, name: `https://u:${SECRET}@example.org` }]],
  ['an address for a task', [{ ...ENTRY, task: `https://u:${SECRET}@example.org` }]],
  ['an address for a digest', withFile({ address: '/a', sha256: SECRET })],
  ['an address for a list', [{ ...ENTRY, files: `https://u:${SECRET}@example.org` }]],
])('%s is refused and not repeated', async (_, content) => {
  expect(await refusal(read(content))).not.toContain(SECRET);
});

test('invalid JSON is not quoted, and neither is its cause, which is logged', async () => {
  const failing = read(SECRET);
  expect(await refusal(failing)).toContain('it is not valid JSON');
  expect(inspect(await failing.catch((error: unknown) => error))).not.toContain(SECRET);
});

test.each<[string, unknown, string]>([
  ['nothing', '', 'it is not valid JSON'],
  ['half of it', JSON.stringify([ENTRY]).slice(0, -5), 'it is not valid JSON'],
  ['an entry alone', ENTRY, 'the list: '],
  ['null', null, 'the list: '],
  ['entries that are none', [null], 'entry 0: '],
  ['more than a thousand', Array.from({ length: 1001 }, () => ENTRY), 'the list: '],
  ['a name twice', [ENTRY, { ...ENTRY, version: '3' }], 'two entries have the name our-faces'],
  ['an unknown member', [{ ...ENTRY, url: 'x' }], '"url"'],
  ['an unknown member of a file', withFile({ address: '/a', md5: 'x' }), 'files.0 of entry 0'],
  ['a prototype', '[{"__proto__": {"name": "a"}}]', 'entry 0'],
  ['no name', [{ ...ENTRY, name: undefined }], 'name of entry 0: '],
  ['a name with a path', [{ ...ENTRY, name: '../../etc' }], 'name of entry 0: '],
  ['a name with lines', [{ ...ENTRY, name: 'a\n{"level":"error"}' }], 'name of entry 0: '],
  ['a name without end', [{ ...ENTRY, name: 'a'.repeat(101) }], 'name of entry 0: '],
  ['an unknown task', [{ ...ENTRY, task: 'cat' }], 'task of entry 0 (our-faces)'],
  ['a second one that is wrong', [ENTRY, { ...ENTRY, name: 'b', task: 1 }], 'task of entry 1 (b)'],
  ['an unknown attribute', [{ ...ENTRY, provides: ['mood'] }], 'provides.0 of entry 0'],
  ['no version', [{ ...ENTRY, version: '' }], 'version of entry 0'],
  ['a use without a reason', [{ ...ENTRY, commercial_use: 'unknown' }], 'commercial_use_reason'],
  ['half a dimension', [{ ...ENTRY, embedding_dim: 0.5 }], 'embedding_dim of entry 0'],
  ['a short digest', withFile({ address: '/a', sha256: 'abc' }), 'files.0.sha256'],
  ['upper case', withFile({ address: '/a', sha256: 'A'.repeat(64) }), 'files.0.sha256'],
  ['no bytes', withFile({ address: '/a', bytes: 0 }), 'files.0.bytes'],
  [
    'more bytes than a model may have',
    withFile({ address: '/a', bytes: 2 ** 31 }),
    'files.0.bytes',
  ],
  ['an address without end', at(`/${'a'.repeat(4000)}`), 'files.0.address'],
  [
    'too many files',
    [{ ...ENTRY, files: Array.from({ length: 21 }, () => ({ address: '/a' })) }],
    'files of entry 0',
  ],
])('%s: refused, and the place is named', async (_, content, place) => {
  const message = await refusal(read(content));
  expect(message).toContain(place);
  expect(message).not.toContain('\n');
});

test('a missing file, a folder, a pipe and an endless file are refused', async () => {
  path = join(folder, 'missing.json');
  expect(await refusal(readCatalog(path))).toContain('it cannot be read (ENOENT)');
  path = folder;
  expect(await refusal(readCatalog(path))).toContain('it is not a regular file');
  path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  expect(await refusal(readCatalog(path))).toContain('it is not a regular file');
  path = join(folder, 'large.json');
  await writeFile(path, '');
  await truncate(path, 1024 ** 3);
  expect(await refusal(readCatalog(path))).toContain('it has more than 16777216 bytes');
});
