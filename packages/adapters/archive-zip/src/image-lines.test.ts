import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { localFileOf } from '@sightline/core/media/testing/local-file-of';
import { imageLines } from './image-lines.ts';
import { MAX_LINE_BYTES } from './reading/read-lines.ts';
import { zipArchiveReader } from './reading/open-archive.ts';
import { type SampleDetection, sampleFiles, zipOf } from './testing/sample-archive.ts';

type ImageRecord = Parameters<typeof imageLines>[0];

const AT = '2026-01-02T03:04:05.678Z';
const PAGE = 'pages/000001/images.jsonl';

const rejectedFrom = (count: number): SampleDetection => ({
  rejected_from: Array.from({ length: count }, (_, i) => ({
    identity: i + 1,
    is_latest: false,
    rejected_at: AT,
  })),
});

function filesOf(...images: readonly (readonly SampleDetection[])[]): Map<string, Uint8Array> {
  const identities = Array.from({ length: 5000 }, (_, i) => ({ label: `Person ${i}` }));
  return sampleFiles({ identities, images: images.map((detections) => ({ detections })) });
}

const recordsOf = (files: ReadonlyMap<string, Uint8Array>) =>
  Buffer.from(files.get(PAGE)!)
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as ImageRecord);

async function read(files: Map<string, Uint8Array>, lines: readonly string[]) {
  files.set(PAGE, Buffer.from(lines.map((line) => `${line}\n`).join('')));
  const archive = await zipArchiveReader.open(localFileOf(await zipOf(files)), 1024 ** 3);
  return Array.fromAsync(archive.images());
}

test('an image is one line, with detections or without', () => {
  for (const record of recordsOf(filesOf([], [rejectedFrom(2), {}]))) {
    const lines = [...imageLines(record)];
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toEqual(record);
  }
});

test('an image with more detections has several lines, which are read as one image', async () => {
  const detections = [rejectedFrom(4500), {}, rejectedFrom(5000)];
  const many = Array.from({ length: 700 }, () => ({}));
  const files = filesOf(detections, many, []);
  const lines = recordsOf(files).map((record) => [...imageLines(record)]);
  expect(lines.map(({ length }) => length)).toEqual([6, 2, 1]);
  const longest = Math.max(...lines.flat().map((line) => line.length));
  expect(longest).toBeLessThan(MAX_LINE_BYTES / 2);
  const images = await read(files, lines.flat());
  const rejections = images.map((image) =>
    image.detections.map(({ rejections: pairs }) => pairs.map(({ identity }) => identity.label)),
  );
  const people = Array.from({ length: 5000 }, (_, i) => `Person ${i}`);
  expect(rejections).toEqual([[people.slice(0, 4500), [], people], many.map(() => []), []]);
});

const continuation = (changes: object = {}) =>
  JSON.stringify({ continues: 1, more_rejected_from: [], more_detections: [], ...changes });

/** Random text, which compresses badly, so that the ZIP reader does not take the entry for a ZIP bomb. */
const NOISE = randomBytes(MAX_LINE_BYTES / 2).toString('hex');

test.each<[string, (image: string) => readonly string[], RegExp]>([
  ['a line that is too long', (image) => [image.replace('{', `{"other":"${NOISE}",`)], /too long/],
  ['a continuation of nothing', (image) => [continuation(), image], /image 1 is continued without/],
  [
    'a continuation of another image',
    (image) => [image, continuation({ continues: 2 })],
    /image 2 is continued without/,
  ],
  [
    'an invalid continuation',
    (image) => [image, continuation({ more_detections: [{}] })],
    /line 2 has an invalid value in more_detections\.0/,
  ],
  [
    'rejections of an object',
    (image) => [image, continuation({ more_rejected_from: rejectedFrom(1).rejected_from })],
    /rejections that belong to no face/,
  ],
  [
    'a detection twice',
    (image) => [
      image,
      continuation({ more_detections: (JSON.parse(image) as ImageRecord).detections }),
    ],
    /occurs twice/,
  ],
  [
    'more rejections than fit into memory',
    (image) => [
      image.replace('"type":"object"', '"type":"face"'),
      ...Array.from({ length: 81 }, () =>
        continuation({ more_rejected_from: rejectedFrom(5000).rejected_from }),
      ),
    ],
    /too many detections or rejections/,
  ],
])('%s is refused', async (_, linesOf, reason) => {
  const files = filesOf([{ type: 'object', class_name: 'dog', class_id: 16 }]);
  const [record] = recordsOf(files);
  const refused = read(files, linesOf(JSON.stringify(record)));
  await expect(refused).rejects.toMatchObject({ code: 'archive_invalid' });
  await expect(refused).rejects.toThrow(reason);
});
