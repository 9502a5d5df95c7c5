import { expect, test } from '@jest/globals';
import type { LocalFile } from '@sightline/core/media/local-file';
import { localFileOf } from '@sightline/core/media/testing/local-file-of';
import type { ImageToImport } from '@sightline/core/recognition/import/import-run';
import type { ReadableArchive } from '@sightline/core/transfer/archive-reader';
import {
  fileOf,
  linesOf,
  type SampleArchive,
  sampleFiles,
  zipOf,
} from '../testing/sample-archive.ts';
import { sampleJpeg } from '../testing/sample-jpeg.ts';
import { rawZip } from '../zip-reading/testing/raw-zip.ts';
import { ArchiveEntries } from './archive-entries.ts';
import { zipArchiveReader, zipArchiveReaderIn } from './open-archive.ts';
import { readIdentities } from './read-head.ts';

const MAX_BYTES = 1024 ** 3;
const MODEL = { name: 'faces', revision: 'a'.repeat(64), embedding_dim: 2 };
const LOOK = Float32Array.of(0.6, 0.8);

type Members = Record<string, unknown>;

/** A library that has at least one object of each kind. */
const LIBRARY: SampleArchive = {
  models: [MODEL],
  identities: [{ label: 'Ann' }, { label: 'Bea' }, { label: 'dog', type: 'object' }],
  images: [
    {
      detections: [
        { identity: 1, looks: { 1: LOOK } },
        {
          rejected_from: [
            { identity: 2, is_latest: true, rejected_at: '2026-01-02T03:04:05.678Z' },
          ],
        },
        { identity: 3, type: 'object', class_name: 'dog', class_id: 16 },
      ],
    },
    {},
  ],
};

function open(files: ReadonlyMap<string, Uint8Array>): Promise<ReadableArchive> {
  return zipOf(files).then((zip) => zipArchiveReader.open(localFileOf(zip), MAX_BYTES));
}

/** The files of the library, with one file changed, or removed if `change` returns null. */
function changed(name: string, change: (text: string) => string | Uint8Array | null) {
  const files = sampleFiles(LIBRARY);
  const after = change(Buffer.from(files.get(name) ?? []).toString());
  if (after === null) files.delete(name);
  else files.set(name, Buffer.from(after));
  return files;
}

/** The files of the library, with changed image records. */
function withRecord(change: (images: Members[]) => void) {
  return changed('pages/000001/images.jsonl', (text) => {
    const records = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as never);
    change(records);
    return linesOf(records);
  });
}

const detection = (image: Members | undefined, at = 0) => (image!.detections as Members[])[at]!;

test('a valid archive is read as it was written', async () => {
  const archive = await open(sampleFiles(LIBRARY));
  expect(archive.models).toEqual([
    { id: 1, name: 'faces', revision: 'a'.repeat(64), embeddingDim: 2 },
  ]);
  expect([...archive.identities.values()]).toMatchObject([
    { type: 'face', label: 'Ann' },
    { type: 'face', label: 'Bea' },
    { type: 'object', label: 'dog' },
  ]);
  expect(archive.imageCount).toBe(2);
  const images: ImageToImport[] = await Array.fromAsync(archive.images());
  const [first] = images;
  expect(first!.detections[0]!).toMatchObject({
    identity: { label: 'Ann' },
    vectors: [{ modelId: 1, vector: LOOK, enrolledAt: new Date('2026-01-02T03:04:05.678Z') }],
  });
  expect(first!.detections[1]!.rejections).toMatchObject([{ identity: { label: 'Bea' } }]);
  const { jpeg } = first!.stored;
  const bytes = jpeg instanceof Uint8Array ? jpeg : await jpeg.read();
  expect(Buffer.from(bytes)).toEqual(sampleJpeg(200, 150, 'image 1'));
});

test('memory is reserved before entries and identities are read', async () => {
  const zip = await zipOf(sampleFiles(LIBRARY));
  const reserved: number[] = [];
  const openIn = (most: number) =>
    zipArchiveReaderIn((bytes) => {
      if (reserved.push(bytes) > most) throw new RangeError('no memory');
    }).open(localFileOf(zip), MAX_BYTES);
  await openIn(2);
  expect(reserved).toEqual([expect.any(Number), expect.any(Number)]);
  for (const most of [0, 1]) {
    reserved.length = 0;
    await expect(openIn(most)).rejects.toThrow('no memory');
  }
});

/** The files in a folder, beside what packers add. */
function inFolder(folder: string): Map<string, Uint8Array> {
  const files = [...sampleFiles(LIBRARY)].map(([name, data]) => [folder + name, data] as const);
  return new Map([
    ['./', new Uint8Array()],
    ...files,
    ['__MACOSX/._sightline.json', Buffer.from('x')],
    ['.DS_Store', Buffer.from('x')],
  ]);
}

test.each([
  '',
  'sightline-2026-11-26/',
  'Export (1)/',
  'a/b c/',
  './',
  './a/',
  Buffer.from('März ☃/').toString('latin1'),
])('files in the folder "%s" are an archive', async (folder) => {
  const archive = await open(inFolder(folder));
  expect(archive.imageCount).toBe(2);
  const [first] = await Array.fromAsync(archive.images());
  const { jpeg } = first!.stored;
  const bytes = jpeg instanceof Uint8Array ? jpeg : await jpeg.read();
  expect(Buffer.from(bytes)).toEqual(sampleJpeg(200, 150, 'image 1'));
});

test('two archives in one file are refused', async () => {
  const both = open(new Map([...inFolder('a/'), ...inFolder('b/')]));
  await expect(both).rejects.toThrow(/sightline\.json occurs in several folders/);
});

test('many entries without a head are refused before their headers are read, and others get their turn', async () => {
  const amount = 20_000;
  const zip = rawZip(Array.from({ length: amount }, (_, i) => ({ name: `images/${i}.jpg` })));
  const file = localFileOf(zip);
  const directory = Buffer.from(zip).indexOf('504b0102', 'hex');
  let [reads, turns, isOpen] = [0, 0, true];
  const counted: LocalFile = {
    size: file.size,
    read: (range) => {
      if (range.offset < directory) reads += 1;
      return file.read(range);
    },
  };
  const count = () => {
    turns += 1;
    if (isOpen) setImmediate(count);
  };
  setImmediate(count);
  await expect(zipArchiveReader.open(counted, MAX_BYTES)).rejects.toThrow(
    /not a Sightline archive/,
  );
  isOpen = false;
  // Only the first bytes of the file are read.
  expect(reads).toBe(1);
  expect(turns).toBeGreaterThan(amount / 2000);
});

test('headers of small entries are read together', async () => {
  const amount = 20_000;
  const head = [...sampleFiles({})].map(([name, data]) => ({ name, data }));
  const others = Array.from({ length: amount }, (_, i) => ({ name: `others/${i}` }));
  const file = localFileOf(rawZip([...head, ...others]));
  let reads = 0;
  const read: LocalFile['read'] = (range) => {
    reads += 1;
    return file.read(range);
  };
  await zipArchiveReader.open({ size: file.size, read }, MAX_BYTES);
  expect(reads).toBeLessThan(amount / 100);
});

const twice = (text: string) => text + text;

test.each<[string, ReadonlyMap<string, Uint8Array>, string, RegExp]>([
  [
    'another product',
    new Map([['word/document.xml', Buffer.from('<w/>')]]),
    'sightline.json',
    /not a Sightline archive/,
  ],
  [
    'a later version',
    sampleFiles({ head: { version: 2 as never } }),
    'sightline.json',
    /version 2/,
  ],
  ['another format', sampleFiles({ head: { format: 'x' as never } }), 'sightline.json', /format/],
  ['no list of models', changed('models.jsonl', () => null), 'models.jsonl', /is missing/],
  ['a model twice', changed('models.jsonl', twice), 'models.jsonl', /model 1 twice/],
  ['an identity twice', changed('identities.jsonl', twice), 'identities.jsonl', /identity 1 twice/],
  [
    'a label with white space',
    sampleFiles({ identities: [{ label: ' Ann' }] }),
    'identities.jsonl',
    /valid label/,
  ],
  [
    'a label with a null',
    sampleFiles({ identities: [{ label: 'A\0' }] }),
    'identities.jsonl',
    /line 1 .*label/,
  ],
  [
    'a line that is not JSON',
    changed('identities.jsonl', () => '{]\n'),
    'identities.jsonl',
    /line 1 is not valid JSON/,
  ],
  [
    'a line that is not UTF-8',
    changed('identities.jsonl', () => Buffer.from('ff0a', 'hex')),
    'identities.jsonl',
    /not valid JSON/,
  ],
  [
    'a page without vectors',
    changed('pages/000001/vectors.f32', () => null),
    'pages/000001/vectors.f32',
    /is missing/,
  ],
  [
    'a page behind a gap',
    changed('pages/000003/images.jsonl', () => ''),
    'pages/',
    /belong to no page/,
  ],
  ['an image without its file', changed('images/1.jpg', () => null), 'images/1.jpg', /is missing/],
  [
    'a file of another size',
    changed('images/1.jpg', (text) => `${text} `),
    'images/1.jpg',
    /another size/,
  ],
  [
    'a file of other bytes',
    changed('crops/1.jpg', (text) => text.replace('crop', 'CROP')),
    'crops/1.jpg',
    /another size|another digest/,
  ],
  [
    'a file that is no list of floats',
    changed('pages/000001/vectors.f32', () => 'abc'),
    'pages/000001/vectors.f32',
    /list of 4-byte floats/,
  ],
  [
    'a vector that is cut off',
    changed('pages/000001/vectors.f32', () => 'abcd'),
    'pages/000001/vectors.f32',
    /ends beyond the file/,
  ],
  [
    'a vector with NaN',
    changed('pages/000001/vectors.f32', () => new Uint8Array(Float32Array.of(NaN, 1).buffer)),
    'pages/000001/vectors.f32',
    /not a unit vector/,
  ],
  [
    'a vector of another length',
    changed('pages/000001/vectors.f32', () => new Uint8Array(Float32Array.of(3, 4).buffer)),
    'pages/000001/vectors.f32',
    /not a unit vector/,
  ],
  [
    'a vector of two faces',
    withRecord(([one]) => (detection(one, 1).vectors = [{ model: 1, offset: 0, reference: null }])),
    'pages/000001/vectors.f32',
    /at 0 overlaps another vector/,
  ],
])('%s is refused', async (...[, files, entry, reason]) => {
  const error = await open(files).catch((refusal: unknown) => refusal);
  expect(error).toMatchObject({ code: 'archive_invalid', facts: { entry } });
  expect((error as Error).message).toMatch(reason);
});

const PAGE = 'pages/000001/images.jsonl';
const TEXT = Buffer.from('plain text');

test.each<[string, ReadonlyMap<string, Uint8Array>, string, RegExp]>([
  [
    'a missing identity',
    withRecord(([one]) => (detection(one).identity = 9)),
    PAGE,
    /names identity 9/,
  ],
  [
    'an identity of another type',
    withRecord(([one]) => (detection(one).identity = 3)),
    PAGE,
    /another type/,
  ],
  [
    'a missing model',
    withRecord(([one]) => (detection(one).vectors = [{ model: 9, offset: 0, reference: null }])),
    PAGE,
    /names model 9/,
  ],
  [
    'an image with too many vectors',
    sampleFiles({
      models: Array.from({ length: 257 }, (_, i) => ({
        ...MODEL,
        name: `faces ${i}`,
        embedding_dim: 65_536,
      })),
      images: [
        {
          detections: [
            { looks: Object.fromEntries(Array.from({ length: 257 }, (_, i) => [i + 1, LOOK])) },
          ],
        },
      ],
    }),
    PAGE,
    /image 1 has too many vectors/,
  ],
  [
    'a detection twice',
    withRecord(([one]) => (detection(one, 1).detection = 1)),
    PAGE,
    /occurs twice/,
  ],
  ['an image twice', withRecord(([one, two]) => (two!.digest = one!.digest)), PAGE, /occurs twice/],
  [
    'the crop of another detection',
    withRecord(([one]) => (detection(one, 1).crop = detection(one).crop)),
    PAGE,
    /crop of another detection/,
  ],
  [
    'the file of another image',
    withRecord(([one, two]) => (two!.file = one!.file)),
    PAGE,
    /file of another image/,
  ],
  [
    'a box outside its image',
    withRecord(([one]) => (detection(one).bbox = { x: 400, y: 0, w: 9, h: 9 })),
    PAGE,
    /outside/,
  ],
  ...[
    { x: 0, y: 0, w: 1e-300, h: 1e-300 },
    { x: 300, y: 0, w: 1e-20, h: 9 },
  ].map((bbox): [string, ReadonlyMap<string, Uint8Array>, string, RegExp] => [
    `a box of ${bbox.w} pixels`,
    withRecord(([one]) => (detection(one).bbox = bbox)),
    PAGE,
    /without an area|outside/,
  ]),
  [
    'a picture of another width',
    withRecord(([one]) => (one!.file = { ...(one!.file as object), width: 201 })),
    'images/1.jpg',
    /width/,
  ],
  [
    'a year before all years',
    withRecord(([one]) => (one!.uploaded_at = '0000-01-01T00:00:00.000Z')),
    PAGE,
    /uploaded_at/,
  ],
  [
    'an original with another digest',
    withRecord(
      ([one]) => (one!.original = { path: 'originals/1.png', sha256: 'b'.repeat(64), size: 1000 }),
    ),
    PAGE,
    /differs from its original/,
  ],
  [
    'a file that is not a JPEG',
    withRecord(
      ([one]) => (one!.file = { ...fileOf('images/1.jpg', TEXT), width: 9, height: 9 }),
    ).set('images/1.jpg', TEXT),
    'images/1.jpg',
    /not a JPEG/,
  ],
])('%s is refused', async (...[, files, entry, reason]) => {
  const error = await open(files).catch((refusal: unknown) => refusal);
  expect(error).toMatchObject({ code: 'archive_invalid', facts: { entry } });
  expect((error as Error).message).toMatch(reason);
});

test('a list of identities that is too large for the memory is refused before it is read', async () => {
  const name = 'identities.jsonl';
  const size = 257 * 1024 ** 2;
  const place = { name, offset: 0, dataOffset: 0, packedSize: 9, size, crc32: 0, isDeflated: true };
  const file = { size, read: () => Promise.reject(new Error('It was read.')) };
  const entries = new ArchiveEntries(file, new Map([[name, place]]), undefined);
  await expect(readIdentities(entries)).rejects.toMatchObject({
    code: 'archive_invalid',
    facts: { entry: name },
  });
});
