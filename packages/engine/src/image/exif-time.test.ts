import { expect, test } from '@jest/globals';
import { readExifTime } from './exif-time.ts';

const [DIRECTORY, ORIGINAL, OFFSET] = [0x8769, 0x9003, 0x9011];
const [ASCII, LONG] = [2, 4];

interface Field {
  readonly tag: number;
  readonly type?: number;
  readonly text: string;
}

/** Writes EXIF data with these fields in its second directory. */
function exif(fields: readonly Field[], little = true): Uint8Array {
  const bytes = new Uint8Array(400);
  const view = new DataView(bytes.buffer);
  bytes.fill(little ? 0x49 : 0x4d, 0, 2);
  view.setUint16(2, 42, little);
  view.setUint32(4, 8, little);
  const put = (
    at: number,
    values: readonly [tag: number, type: number, count: number, value: number],
  ) => {
    view.setUint16(at, values[0], little);
    view.setUint16(at + 2, values[1], little);
    view.setUint32(at + 4, values[2], little);
    view.setUint32(at + 8, values[3], little);
  };
  view.setUint16(8, 1, little);
  put(10, [DIRECTORY, LONG, 1, 30]);
  view.setUint16(30, fields.length, little);
  for (const [i, { tag, type = ASCII, text }] of fields.entries()) {
    const at = 100 + i * 40;
    put(32 + i * 12, [tag, type, text.length + 1, at]);
    bytes.set(Buffer.from(text, 'latin1'), at);
  }
  return bytes;
}

const timeOf = (original: string, offset?: string) =>
  readExifTime(
    exif([
      { tag: ORIGINAL, text: original },
      ...(offset === undefined ? [] : [{ tag: OFFSET, text: offset }]),
    ]),
  )?.toISOString() ?? null;

test.each([
  ['2024:05:06 07:08:09', undefined, '2024-05-06T07:08:09.000Z'],
  ['2024:05:06 07:08:09', '+02:00', '2024-05-06T05:08:09.000Z'],
  ['2024:05:06 07:08:09', '-09:30', '2024-05-06T16:38:09.000Z'],
  ['2024:02:29 00:00:00', '   :  ', '2024-02-29T00:00:00.000Z'],
  ['2024:05:06 07:08:09', '+99:00', '2024-05-06T07:08:09.000Z'],
  ['0001:01:01 00:00:00', '-01:00', '0001-01-01T01:00:00.000Z'],
])('%s with the offset %s is a time', (original, offset, expected) => {
  expect(timeOf(original, offset)).toBe(expected);
});

test.each([
  ['', undefined],
  ['    :  :     :  :  ', undefined],
  ['0000:00:00 00:00:00', undefined],
  ['2023:02:29 07:08:09', undefined],
  ['2024:05:06 24:08:09', undefined],
  ['2024-05-06T07:08:09', undefined],
  ['0001:01:01 00:00:00', '+01:00'],
  ['9999:12:31 23:59:59', '-01:00'],
])('%j with the offset %s is none', (original, offset) => {
  expect(timeOf(original, offset)).toBeNull();
});

test('numbers may begin with their upper byte', () => {
  const fields = [{ tag: ORIGINAL, text: '2024:05:06 07:08:09' }];
  expect(readExifTime(exif(fields, false))).toEqual(new Date('2024-05-06T07:08:09Z'));
});

test('damaged data has no time', () => {
  const bytes = exif([{ tag: ORIGINAL, text: '2024:05:06 07:08:09' }]);
  for (let length = 0; length < 100; length++) {
    expect(readExifTime(bytes.subarray(0, length))).toBeNull();
  }
  expect(
    readExifTime(exif([{ tag: ORIGINAL, type: LONG, text: '2024:05:06 07:08:09' }])),
  ).toBeNull();
  expect(readExifTime(new Uint8Array(400).fill(0xff))).toBeNull();
});
