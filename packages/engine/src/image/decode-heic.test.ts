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
