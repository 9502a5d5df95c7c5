import fc from 'fast-check';

const TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  '1e999',
  'NaN',
  'null',
  '[]',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e\u0301',
  '../../etc/passwd',
  "' OR 1=1 --",
  '%',
  '_',
  '\\',
  '%00%ff',
  '__proto__',
  'data:image/png;base64,',
  'data:image/svg+xml;base64,PHN2Zy8+',
  'ＡＬＬ',
  'x'.repeat(201),
  // Invalid dates, and cursors of other lists.
  '2026-02-30',
  '2026-13-01T00:00:00Z',
  '0000-00-00',
  '1.5_7',
  '2026-01-01T00:00:00.000Z_0',
  'NaN_1',
  'WyJBZGEiLCJmYWNlIiwxXQ',
] as const;

const LONG_TEXT = 'x'.repeat(10_000);

/** Texts for a path or a header, of which the service accepts at most 16 KiB. */
export const hostileShortText = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.string({ maxLength: 40, unit: 'binary' }),
);

export const hostileText = fc.oneof(
  { weight: 20, arbitrary: hostileShortText },
  { weight: 1, arbitrary: fc.constant(LONG_TEXT) },
);

/** Numbers around the limits of integers in JavaScript and in databases. */
export const hostileNumber = fc.oneof(
  fc.constantFrom(0, -1, 1.5, 1e300, 2 ** 31, -(2 ** 31) - 1, 2 ** 53 - 1, 2 ** 53, 2 ** 63),
  fc.integer(),
  fc.double(),
);

// All URLs stay on this machine: loopback, refused ranges, and names that cannot exist.
export const hostileUrl = fc.oneof(
  fc.constantFrom(
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://0xa9fea9fe/',
    'http://[::ffff:169.254.169.254]/',
    'http://127.0.0.1:1/closed.jpg',
    'http://user:secret@127.0.0.1:1/',
    'http://nowhere.invalid/a.jpg',
    'http://',
    '//127.0.0.1/a.jpg',
    'javascript:alert(1)',
  ),
  hostileText,
);

/** Parts of a path. The first ones have an invalid encoding; all others are encoded. */
export const hostilePathPart = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom('%', '%ff', '%c3%28') },
  {
    weight: 8,
    // Leaves out an empty part, `.` and `..`, because the path would then belong to another operation.
    arbitrary: fc
      .oneof(hostileShortText, hostileNumber.map(String), fc.constant('x'.repeat(2_000)))
      .map((text) => encodeURIComponent(text.toWellFormed()))
      .filter((part) => !/^\.{0,2}$/.test(part)),
  },
);

const headerCharacter = fc
  .oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0xa0, max: 0xff }))
  .map((code) => String.fromCharCode(code));

/** Values with only the characters that a header can have. */
export const hostileHeader = fc.oneof(
  fc.constantFrom('', '0', '*', ',', '""', 'null', "' OR 1=1 --", 'bytes=', 'x'.repeat(1_000)),
  fc.string({ maxLength: 40, unit: headerCharacter }),
);

/** Bytes that are no image, or one that is damaged. */
export function hostileImage(
  images: readonly Uint8Array<ArrayBuffer>[],
): fc.Arbitrary<Uint8Array<ArrayBuffer>> {
  const image = fc.constantFrom(...images);
  return fc.oneof(
    fc.uint8Array({ maxLength: 400 }).map((bytes) => Uint8Array.from(bytes)),
    fc
      .tuple(image, fc.double({ min: 0, max: 1, noNaN: true }))
      .map(([bytes, share]) => bytes.slice(0, Math.floor(bytes.length * share))),
    fc
      .tuple(image, fc.nat(), fc.nat(255))
      .map(([bytes, at, value]) => bytes.with(at % bytes.length, value)),
    fc.constantFrom('<svg xmlns="http://www.w3.org/2000/svg"/>', '%PDF-1.7').map(encode),
  );
}

/** Bodies that no endpoint accepts. */
export function hostileBody(images: readonly Uint8Array<ArrayBuffer>[]) {
  const contentType = fc.constantFrom(
    'application/json',
    'application/json; charset=utf-16',
    'multipart/form-data',
    'multipart/form-data; boundary=x',
    'text/plain',
    'image/jpeg',
    'a',
  );
  const texts = fc.constantFrom(
    '{"image_base64":',
    '[[[[',
    '{"__proto__":{"label":"x","type":"face"}}',
    '{"label":"\\ud800","type":"face"}',
    '--x\r\n',
    '--x--\r\n',
    '\ufeff{}',
  );
  return fc.record({
    contentType,
    bytes: fc.oneof(hostileImage(images), fc.json().map(encode), texts.map(encode)),
  });
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(text));
}
