import { expect, test } from '@jest/globals';
import { pictureFormat } from './picture-format.ts';

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

test.each([
  ['\xff\xd8\xff\xe0', 'jpeg'],
  ['\x89PNG\r\n\x1a\n', 'png'],
  ['RIFF\0\0\0\0WEBPVP8 ', 'webp'],
  ['BM\0\0', 'bmp'],
  ['GIF89a', 'gif'],
  ['II*\0', 'tiff'],
  ['MM\0*', 'tiff'],
  ['\0\0\0\x18ftypheic', 'heif'],
  ['\0\0\0\x18ftypavif', 'avif'],
  ['\0\0\0\x18ftypisom', null],
  ['RIFF\0\0\0\0WAVE', null],
  ['%PDF-1.7', null],
  ['no picture at all', null],
  ['', null],
])('a file that begins with %j is %s', (head, format) => {
  expect(pictureFormat(bytes(head))).toBe(format);
});
