import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { UnsupportedFormat } from '@sightline/core/sources/image-errors';
import { openHeic } from './decode-heic.ts';
import { fixture } from './testing/fixture.ts';

function recoded(name: string, to: string): Uint8Array {
  return new Uint8Array(
    Buffer.from(Buffer.from(fixture(name)).toString('latin1').replaceAll('hvc1', to), 'latin1'),
  );
}

test.each([
  ['j2k1', 'JPEG 2000'],
  ['jpeg', 'JPEG'],
  ['avc1', 'AVC'],
  ['vvc1', 'VVC'],
  ['unci', 'uncompressed form'],
])('a codec that is not supported is named: %s', (type, name) => {
  const error = new UnsupportedFormat(`HEIF images in ${name} are not supported.`);
  expect(() => openHeic(recoded('small.heic', type), 1e6)).toThrow(error);
  expect(() => openHeic(recoded('master-grid.heic', type), 1e6)).toThrow(error);
});

/**
 * The memory with which two instances of the decoder start, because the last one may be in use until the next call, and half
 * as much as one for files and other buffers. Five files are decoded.
 */
const TWO_INSTANCES = 2.5 * 16 * 1024 ** 2;

test('the memory of the decoder is freed at once, also in a process that collects garbage seldom', async () => {
  const script = resolve(import.meta.dirname, 'testing/measure-heic.ts');
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', script]);
  const { decoded, refused } = JSON.parse(stdout) as Record<string, number>;
  expect(decoded).toBeLessThan(TWO_INSTANCES);
  expect(refused).toBeLessThan(TWO_INSTANCES);
});
