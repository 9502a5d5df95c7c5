import { describe, expect, test } from '@jest/globals';
import { IMAGE } from '@sightline/contracts/recognition/image-source';
import { ImageSourceInvalid, ImageTooLarge } from '@sightline/core/sources/image-errors';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import { Base64Text } from '@sightline/platform/http/base64-text';
import type { UploadedFile } from '@sightline/platform/http/read-multipart';
import type { RequestBody } from '../http/define-route.ts';
import { findImageSource } from './read-image-source.ts';

const READING = {
  fetchImage: (url: string) => Promise.resolve(new TextEncoder().encode(`fetched ${url}`)),
  imageLimits: { ...DEFAULT_IMAGE_LIMITS, maxBytes: 20 },
};

function upload(text: string, field = 'file'): UploadedFile {
  const tooLarge = text.length > READING.imageLimits.maxBytes;
  const read = () => Promise.resolve(new TextEncoder().encode(text));
  return {
    field,
    filename: 'a.jpg',
    size: text.length,
    tooLarge,
    digest: null,
    read,
    readPart: read,
  };
}

/** Reads the image of a request. The test passes an image in base64 as a field. */
async function read({ fields = {}, files = [] }: Partial<RequestBody>): Promise<string> {
  const { image_base64: base64, ...others } = fields;
  const text = typeof base64 === 'string' && Base64Text.of(base64, READING.imageLimits);
  const texts = new Map(text ? [['image_base64', text]] : []);
  const whole = { fields: others, files, texts };
  const bytes = await findImageSource(READING, whole, IMAGE)(new AbortController().signal);
  return new TextDecoder().decode(bytes);
}

describe('the image source of a request', () => {
  test.each<[string, Partial<RequestBody>, string]>([
    ['a file', { files: [upload('bytes')] }, 'bytes'],
    ['a file beside one for another field', { files: [upload('a', 'x'), upload('b')] }, 'b'],
    ['a URL', { fields: { image_url: 'http://a.test/' } }, 'fetched http://a.test/'],
    ['base64', { fields: { image_base64: 'Ynl0ZXM=' } }, 'bytes'],
    ['a data URI', { fields: { image_base64: 'data:image/jpeg;base64,Ynl0ZXM=' } }, 'bytes'],
    ['a data URI of any type', { fields: { image_base64: 'data:;base64,Ynl0ZXM=' } }, 'bytes'],
    ['a data URI without base64', { fields: { image_base64: 'data:image/png,b%79tes' } }, 'bytes'],
    [
      'a data URI with a parameter',
      { fields: { image_base64: 'DATA:image/svg+xml;charset=utf-8;base64,Ynl0ZXM=' } },
      'bytes',
    ],
  ])('may be %s', async (_, body, expected) => {
    await expect(read(body)).resolves.toBe(expected);
  });

  test.each<[string, Partial<RequestBody>]>([
    ['none', {}],
    ['two files', { files: [upload('a'), upload('b')] }],
    ['a file and a URL', { files: [upload('a')], fields: { image_url: 'http://a.test/' } }],
    ['a file and empty base64', { files: [upload('a')], fields: { image_base64: '' } }],
    ['all three', { files: [upload('a')], fields: { image_url: 'u', image_base64: 'AAAA' } }],
    ['an empty file', { files: [upload('')] }],
    ['empty base64', { fields: { image_base64: '' } }],
    ['an empty data URI', { fields: { image_base64: 'data:image/png;base64,' } }],
    ['what is no base64', { fields: { image_base64: 'no base64!' } }],
    ['a data URI of no base64', { fields: { image_base64: 'data:image/png;base64,!' } }],
    ['a data URI that is malformed', { fields: { image_base64: 'data:image/png,%zz' } }],
  ])('may not be %s', async (_, body) => {
    await expect(read(body)).rejects.toBeInstanceOf(ImageSourceInvalid);
  });

  test('may have as many bytes as the limit, but not one more', async () => {
    const limit = READING.imageLimits.maxBytes;
    const base64 = (length: number) => Buffer.from('x'.repeat(length)).toString('base64');
    await expect(read({ files: [upload('x'.repeat(limit))] })).resolves.toHaveLength(limit);
    await expect(read({ fields: { image_base64: base64(limit) } })).resolves.toHaveLength(limit);
    const over = [
      { files: [upload('x'.repeat(limit + 1))] },
      { fields: { image_base64: base64(limit + 1) } },
    ];
    for (const body of over) await expect(read(body)).rejects.toBeInstanceOf(ImageTooLarge);
  });

  test('is named in the refusal', async () => {
    await expect(read({})).rejects.toThrow(
      'Exactly one of file, image_url and image_base64 is required; 0 were given.',
    );
  });
});
