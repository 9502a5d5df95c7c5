import { expect, test } from '@jest/globals';
import { freePixels } from './raster.ts';

test('frees a buffer that is the raster alone, once', () => {
  const raster = { data: new Uint8Array(12), width: 2, height: 2 };
  freePixels(raster);
  freePixels(raster);
  expect(raster.data.buffer.byteLength).toBe(0);
});

test('leaves a buffer alone that other things use, too', () => {
  const pool = new Uint8Array(100).fill(7);
  freePixels({ data: pool.subarray(10, 22), width: 2, height: 2 });
  expect(pool).toHaveLength(100);
});
