import { describe, expect, test } from '@jest/globals';
import { UnsupportedFormat } from '@sightline/core/sources/image-errors';
import { sniffFormat } from './sniff-format.ts';
import { fixture, FIXTURES } from './testing/fixture.ts';

const ascii = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

function branded(major: string, ...compatible: string[]): Uint8Array {
  const bytes = ascii(`\0\0\0\0ftyp${major}\0\0\0\0${compatible.join('')}`);
  bytes[3] = bytes.length;
  return Uint8Array.from([...bytes, ...ascii('\0\0\0\x08meta')]);
}

describe('sniffFormat', () => {
  const byEnding: Record<string, string> = { jpg: 'jpeg' };

  test.each(FIXTURES)('detects %s by its bytes', (name) => {
    const ending = name.split('.').at(-1)!;
    expect(sniffFormat(fixture(name))).toBe(byEnding[ending] ?? ending);
  });

  test.each([
    ['heic', branded('heic')],
    ['heic', branded('mif1', 'miaf', 'heix')],
    ['heic', branded('msf1', 'hevc')],
    ['heic', branded('mif1')],
    ['avif', branded('avif')],
    ['avif', branded('mif1', 'avif', 'miaf')],
    ['avif', branded('avis', 'msf1')],
    // Some phones write these brands, of which the major brand decides.
    ['heic', branded('heic', 'avif')],
  ])('detects %s by its brands (%#)', (format, bytes) => {
    expect(sniffFormat(bytes)).toBe(format);
  });

  test.each([
    ['little-endian', 'II*\0'],
    ['big-endian', 'MM\0*'],
    ['big, little-endian', 'II+\0'],
    ['big, big-endian', 'MM\0+'],
  ])('detects a %s TIFF', (_, magic) => {
    expect(sniffFormat(ascii(magic))).toBe('tiff');
  });

  test('finds the multi-picture index behind fill bytes and other segments', () => {
    const jpeg = '\xff\xd8\xff\xe0\0\x04ab\xff\xff\xe2\0\x08MPF\0..\xff\xda';
    expect(sniffFormat(ascii(jpeg))).toBe('mpo');
    expect(sniffFormat(ascii(jpeg.replace('MPF', 'ICC')))).toBe('jpeg');
  });

  test('does not search for the multi-picture index in a scan or behind a segment beyond the end of the file', () => {
    expect(sniffFormat(ascii('\xff\xd8\xff\xda\0\x02\xff\xe2\0\x08MPF\0'))).toBe('jpeg');
    expect(sniffFormat(ascii('\xff\xd8\xff\xe0\xff\xffMPF\0'))).toBe('jpeg');
    expect(sniffFormat(ascii('\xff\xd8\xff\xe0\0\0'))).toBe('jpeg');
  });

  test.each([
    ['nothing', ''],
    ['text', 'hello, world, this is text'],
    ['text that begins with BM', 'BMW is a maker of cars and engines'],
    ['RIFF sound', 'RIFF\0\0\0\0WAVEfmt '],
    ['half a PNG signature', '\x89PNG'],
    ['half a JPEG marker', '\xff\xd8'],
    ['XML', '<?xml version="1.0"?><svg/>'],
  ])('refuses %s', (_, text) => {
    expect(() => sniffFormat(ascii(text))).toThrow(
      new UnsupportedFormat('The file is not in a supported image format.'),
    );
  });

  test.each([
    ['SVG files', ascii('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')],
    ['PDF files', ascii('%PDF-1.7\n%abcd')],
    ['JPEG 2000 images', ascii('\0\0\0\x0cjP  \r\n\x87\n')],
    ['JPEG XL images', ascii('\xff\x0a\xfa\x1f\x01')],
    ['Photoshop files', ascii('8BPS\0\x01')],
    ['Windows icons', ascii('\0\0\x01\0\x01\0')],
    ['Camera raw files', branded('crx ', 'isom')],
    ['Videos and other files of the ISO base media format', branded('isom', 'mp42', 'avc1')],
    [
      'Videos and other files of the ISO base media format',
      branded('isom').subarray(0, 10), // brands cut off
    ],
  ])('names what it refuses: %s', (files, bytes) => {
    expect(() => sniffFormat(bytes)).toThrow(new UnsupportedFormat(`${files} are not supported.`));
  });

  test('detects AVIF with generic brands by the codec of its image', () => {
    const bytes = fixture('master.avif').slice();
    const end = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
    for (let at = 8; at < end; at += 4) if (at !== 12) bytes.set(ascii('mif1'), at);
    expect(sniffFormat(bytes)).toBe('avif');
  });

  test('ignores brands behind the end of the ftyp box', () => {
    expect(() => sniffFormat(Uint8Array.from([...branded('isom'), ...ascii('heic')]))).toThrow(
      UnsupportedFormat,
    );
  });
});
