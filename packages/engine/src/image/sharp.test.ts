import { once } from 'node:events';
import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { sharp } from './sharp.ts';
import { fixture } from './testing/fixture.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9"/></svg>';

describe('sharp, as this package exports it', () => {
  test.each(['jpg', 'png', 'webp', 'gif', 'tiff', 'avif'])(
    'reads %s from memory',
    async (ending) => {
      await expect(sharp(fixture(`master.${ending}`)).metadata()).resolves.toMatchObject({
        width: 256,
        height: 192,
      });
    },
  );

  // The cases are formats that libvips can read, or might read with another build, but that this package does not
  // accept.
  test.each<[name: string, bytes: Uint8Array]>([
    ['SVG', latin1(svg)],
    ['SVG behind a declaration', latin1(`<?xml version="1.0" encoding="UTF-8"?>\n${svg}`)],
    ['compressed SVG', gzipSync(svg)],
    ['PDF', latin1('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>')],
    ['PPM', latin1('P6\n1 1\n255\nabc')],
    ['CSV', latin1('1,2\n3,4\n')],
    ['Radiance', latin1('#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\nabcd')],
    ['FITS', latin1('SIMPLE  =                    T'.padEnd(2880))],
    ['a VIPS image', Buffer.concat([Buffer.from([0x08, 0xf2, 0xa6, 0xb6]), Buffer.alloc(80)])],
    ['a bitmap, which ImageMagick reads', fixture('small-24-bit.bmp')],
  ])('does not read %s', async (_, bytes) => {
    await expect(sharp(bytes).metadata()).rejects.toThrow('unsupported image format');
  });

  test('does not read files', async () => {
    const path = resolve(import.meta.dirname, '../../fixtures/master.png');
    await expect(sharp(path).metadata()).rejects.toThrow('unsupported image format');
  });

  test('reads while further threads begin', async () => {
    let isOver = false;
    const read = async () => {
      while (!isOver) await sharp(fixture('master.jpg')).metadata();
    };
    const reading = Promise.all([read(), read(), read(), read()]);
    const begin = async () => {
      for (let begun = 0; begun < 20; begun++) {
        await once(new Worker(new URL('./testing/sharp-thread.ts', import.meta.url)), 'exit');
      }
    };
    try {
      await Promise.race([reading, begin()]);
    } finally {
      isOver = true;
    }
    await reading;
  });

  test('has no cache and uses one thread per image', () => {
    expect(sharp.cache()).toMatchObject({ memory: { max: 0 }, items: { max: 0 } });
    expect(sharp.concurrency()).toBe(1);
  });
});
