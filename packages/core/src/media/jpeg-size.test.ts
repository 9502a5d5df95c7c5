import { expect, test } from '@jest/globals';
import { FakeAnalyzer } from '../analysis/testing/fake-analyzer.ts';
import { jpegSize } from './jpeg-size.ts';

test('the size of a JPEG is read from its header', async () => {
  const analyzer = Object.assign(new FakeAnalyzer(), {
    encodesSizes: true,
    imageOf: () => ({ width: 640, height: 480 }),
  });
  const quality = 80;
  const { source } = await analyzer.analyze({
    image: new Uint8Array(4),
    renditions: { source: { maxSize: 9_999, quality }, crops: { padding: 0, quality } },
  });
  expect(jpegSize(source!.jpeg)).toEqual({ width: 640, height: 480 });
});

test.each([
  [[]],
  [[0xff, 0xd8]],
  [[0xff, 0xd8, 0x00, 0xc0, 0, 8, 8, 0, 1, 0, 1]],
  [[0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0]],
  [[0x89, 0x50, 0x4e, 0x47, 0xff, 0xc0, 0, 8, 8, 0, 1, 0, 1]],
])('other bytes have none: %j', (bytes) => {
  expect(jpegSize(Uint8Array.from(bytes))).toBeNull();
});
