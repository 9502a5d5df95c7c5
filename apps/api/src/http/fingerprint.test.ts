import { describe, expect, test } from '@jest/globals';
import { Base64Text } from '@sightline/platform/http/base64-text';
import type { UploadedFile } from '@sightline/platform/http/read-multipart';
import { fingerprintOf } from './fingerprint.ts';

type Asked = Parameters<typeof fingerprintOf>[1];

const ROUTE = { method: 'POST', path: '/things' } as const;

function file(text: string, field = 'file', filename = 'a.jpg'): UploadedFile {
  const digest = Uint8Array.from(Buffer.from(text));
  const read = () => Promise.reject(new Error('not read for a fingerprint'));
  return { field, filename, size: text.length, tooLarge: false, digest, read, readPart: read };
}

function hex(request: Partial<Asked>, route: Parameters<typeof fingerprintOf>[0] = ROUTE): string {
  const asked = { path: undefined, query: undefined, body: undefined, ...request };
  return Buffer.from(fingerprintOf(route, asked)).toString('hex');
}

const body = (fields: Record<string, unknown>, files: readonly UploadedFile[] = []) => ({
  body: { fields, files, texts: new Map<string, Base64Text>() },
});

describe('the fingerprint of a request', () => {
  test('is a SHA-256', () => {
    expect(hex({})).toMatch(/^[0-9a-f]{64}$/);
  });

  test('does not depend on the order of members, on absent ones or on names of files', () => {
    expect(hex(body({ a: 1, b: { c: [2], d: null } }))).toBe(
      hex(body({ b: { d: null, c: [2] }, a: 1, e: undefined })),
    );
    expect(hex(body({}, [file('x', 'file', 'b.jpg')]))).toBe(hex(body({}, [file('x')])));
  });

  test('does not depend on whether an image in base64 was decoded while it arrived', () => {
    const image = Buffer.alloc(5000, 'x').toString('base64');
    const text = Base64Text.of(image, { maxBytes: 10, digests: true });
    const texts = new Map([['image_base64', text]]);
    expect(hex({ body: { fields: { label: 'a' }, files: [], texts } })).toBe(
      hex(body({ image_base64: image, label: 'a' })),
    );
  });

  test('differs for different requests', () => {
    const long = 'x'.repeat(5000);
    const all = [
      hex({}),
      hex({}, { ...ROUTE, path: '/others' }),
      hex({}, { ...ROUTE, method: 'PUT' }),
      hex({ path: { id: 1 } }),
      hex({ query: { id: 1 } }),
      hex(body({ id: 1 })),
      hex(body({ id: '1' })),
      hex(body({ id: true })),
      hex(body({ id: [1] })),
      hex(body({ id: null })),
      hex(body({ as_of: new Date(0) })),
      hex(body({ as_of: new Date(1) })),
      hex(body({ image_base64: long })),
      hex(body({ image_base64: `${long}y` })),
      hex(body({ image_url: 'http://a.test/1' })),
      hex(body({ image_url: 'http://a.test/2' })),
      hex(body({}, [file('x')])),
      hex(body({}, [file('y')])),
      hex(body({}, [file('x', 'file2')])),
      hex(body({}, [file('x'), file('y')])),
      hex(body({}, [file('y'), file('x')])),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});
