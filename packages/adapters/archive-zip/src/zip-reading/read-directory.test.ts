import { expect, test } from '@jest/globals';
import type { LocalFile } from '@sightline/core/media/local-file';
import { readDirectory } from './read-directory.ts';
import { readWhole } from './read-entry.ts';
import { type RawEntry, rawZip } from './testing/raw-zip.ts';

const MAX_BYTES = 1024 ** 2 * 8;
const MAX_ENTRIES = 10;
const DATA = Buffer.from('some text that is long enough to be worth a compression, compression');

function fileOf(bytes: Uint8Array): LocalFile {
  return {
    size: bytes.length,
    read: ({ offset, size }) => Promise.resolve(bytes.slice(offset, offset + size)),
  };
}

const read = (zip: Uint8Array, maxBytes = MAX_BYTES) =>
  readDirectory(fileOf(zip), { maxBytes, maxEntries: MAX_ENTRIES });

async function refusalOf(zip: Uint8Array, maxBytes = MAX_BYTES): Promise<unknown> {
  const file = fileOf(zip);
  try {
    const entries = await readDirectory(file, { maxBytes, maxEntries: MAX_ENTRIES });
    for (const entry of entries.values()) await readWhole(file, entry, MAX_BYTES);
    return null;
  } catch (error) {
    return error;
  }
}

test('files, stored and deflated, are found with their bytes', async () => {
  const zip = rawZip([
    { name: 'folder/' },
    { name: 'folder/a.txt', data: DATA },
    { name: 'b-1.txt', data: DATA, isDeflated: true },
    { name: 'empty' },
  ]);
  const entries = await read(zip);
  expect([...entries.keys()]).toEqual(['folder/a.txt', 'b-1.txt', 'empty']);
  for (const name of ['folder/a.txt', 'b-1.txt']) {
    const bytes = await readWhole(fileOf(zip), entries.get(name)!, 100);
    expect(Buffer.from(bytes)).toEqual(DATA);
  }
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['an image', Buffer.from('ffd8ffe000104a464946', 'hex')],
  ['a text', DATA],
  ['a ZIP behind something else', Buffer.concat([DATA, rawZip([{ name: 'a', data: DATA }])])],
])('%s is no archive', async (_, bytes) => {
  expect(await refusalOf(bytes)).toMatchObject({ name: 'NotAZip' });
});

const named = (name: string): RawEntry[] => [{ name, data: DATA }];
const link = (mode: number): RawEntry[] => [{ name: 'a', data: DATA, claims: { mode } }];
const bomb = Buffer.alloc(4 * 1024 ** 2);

test.each<[string, readonly RawEntry[], RegExp]>([
  ['a name that climbs', named('../a'), /plain relative path/],
  ['a name that climbs later', named('a/../../b'), /plain relative path/],
  ['an absolute name', named('/etc/passwd'), /plain relative path/],
  ['a name with a drive', named('C:a'), /plain relative path/],
  ['a name with a backslash', named('a\\b'), /plain relative path/],
  ['a name of dots', named('././a'), /plain relative path/],
  ['a name with a wildcard', named('a*'), /plain relative path/],
  ['a name with a control character', named('a\nb'), /plain relative path/],
  ['a name with an empty part', named('a//b'), /plain relative path/],
  ['no name', named(''), /plain relative path/],
  ['a very long name', named('a'.repeat(300)), /plain relative path/],
  ['a symbolic link', link(0o120777), /is a link/],
  ['a device', link(0o020666), /is a link/],
  [
    'an encrypted file',
    [{ name: 'a', data: DATA, isDeflated: true, claims: { flags: 1 } }],
    /is encrypted/,
  ],
  ['another compression', [{ name: 'a', data: DATA, claims: { method: 14 } }], /method other than/],
  ['a name twice', [...named('a'), ...named('a')], /occurs twice/],
  ['a bomb', [{ name: 'a', data: bomb, isDeflated: true }], /1\/200 of its size/],
  [
    'entries that share their data',
    [...named('a'), { name: 'a', data: DATA, claims: { offset: 0 } }].map((entry, i) => ({
      ...entry,
      name: i === 0 ? 'a' : 'b',
      localName: 'a',
    })),
    /is not where the directory says/,
  ],
  [
    'entries that overlap',
    [
      { name: 'a', data: DATA, claims: { packedSize: DATA.length + 5, size: DATA.length + 5 } },
      ...named('b'),
    ],
    /overlaps another entry/,
  ],
  [
    'a directory whose name differs from the local header',
    [{ name: 'a', data: DATA, localName: 'b' }],
    /is not where the directory says/,
  ],
  [
    'an entry beyond the end',
    [{ name: 'a', data: DATA, claims: { packedSize: 99_999, size: 99_999 } }],
    /is cut off/,
  ],
  [
    'an offset beyond the end',
    [{ name: 'a', data: DATA, claims: { offset: 99_999 } }],
    /is cut off/,
  ],
  ['sizes that differ', [{ name: 'a', data: DATA, claims: { size: 5 } }], /cut off or damaged/],
  ['another checksum', [{ name: 'a', data: DATA, claims: { crc: 5 } }], /is damaged/],
  [
    'more than it declares',
    [{ name: 'a', data: DATA, isDeflated: true, claims: { size: 5 } }],
    /is damaged/,
  ],
  [
    'less than it declares',
    [{ name: 'a', data: DATA, isDeflated: true, claims: { size: 500 } }],
    /is damaged/,
  ],
  [
    'data that cannot be inflated',
    [{ name: 'a', data: DATA, claims: { method: 8 } }],
    /is damaged/,
  ],
])('%s is refused', async (_, entries, reason) => {
  const refusal = await refusalOf(rawZip(entries));
  expect(refusal).toMatchObject({ name: 'ZipRefused' });
  expect((refusal as Error).message).toMatch(reason);
});

test('files beyond the size limit are refused before they are unpacked', async () => {
  const zip = rawZip([
    { name: 'a', data: DATA },
    { name: 'b', data: DATA },
  ]);
  expect(await refusalOf(zip, DATA.length * 2)).toBeNull();
  expect(await refusalOf(zip, DATA.length * 2 - 1)).toMatchObject({ name: 'ZipTooLarge' });
});

test('control characters of a hostile name are replaced in the message', async () => {
  const refusal = (await refusalOf(rawZip(named('\u001b[31m\n')))) as Error;
  expect(refusal.message).toContain('The entry ?[31m? has a name');
});

test('an archive with too many entries is refused', async () => {
  const entries = (count: number) =>
    rawZip(Array.from({ length: count }, (_, at) => ({ name: `${at}` })));
  expect(await refusalOf(entries(MAX_ENTRIES))).toBeNull();
  expect(await refusalOf(entries(MAX_ENTRIES + 1))).toMatchObject({
    name: 'ZipRefused',
    message: 'The archive has too many entries.',
  });
});
