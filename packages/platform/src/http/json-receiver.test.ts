import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BodyMemory } from './body-memory.ts';
import { HttpError } from './http-errors.ts';
import { JsonReceiver } from './json-receiver.ts';

const MIB = 1024 ** 2;
const MEMBERS = {
  paths: new Set(['image', 'other_image', 'images.*.image']),
  maxBytes: 100 * MIB,
  digests: false,
};
const NO_MEMBERS = { ...MEMBERS, paths: new Set<string>() };
const HOLDER = { environment: '1', caller: 'key-1' };

interface Received {
  readonly value: unknown;
  /** The decoded texts by path; null for a text that is not base64. */
  readonly texts: Readonly<Record<string, string | null>>;
}

/** Receives a document in pieces of `length` bytes. Returns the error message if the document is refused. */
async function receive(document: string | Buffer, length = Infinity): Promise<Received | string> {
  const receiver = new JsonReceiver(MEMBERS, { maxBytes: 200 * MIB, memory: undefined });
  const bytes = Buffer.from(document as string);
  try {
    for (let at = 0; at < bytes.length; at += length) {
      receiver.push(bytes.subarray(at, Math.min(bytes.length, at + length)));
    }
    const { value, texts } = receiver.finish();
    const decoded = [...texts].map(async ([name, text]) => {
      return [name, text.isValid ? Buffer.from(await text.read()).toString() : null] as const;
    });
    return { value, texts: Object.fromEntries(await Promise.all(decoded)) };
  } catch (error) {
    if (error instanceof HttpError) return error.message;
    throw error;
  }
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('texts are extracted', () => {
  test.each<[string, string, Received]>([
    [
      'where they are members of the outermost object',
      `{"a":1,"image":"${base64('photo')}","b":[{"image":"x"}],"other_image":"${base64('b')}"}`,
      { value: { a: 1, b: [{ image: 'x' }] }, texts: { image: 'photo', other_image: 'b' } },
    ],
    [
      'with white space everywhere',
      `\n{ "image" :\t"${base64('photo')}" , "a" : 1 }\r\n`,
      { value: { a: 1 }, texts: { image: 'photo' } },
    ],
    [
      'with escapes, as some libraries write every slash',
      `{"image":"${Buffer.from([255, 255, 255]).toString('base64').replaceAll('/', '\\/')}"}`,
      { value: {}, texts: { image: '\ufffd\ufffd\ufffd' } },
    ],
    [
      'under an escaped name',
      `{"im\\u0061ge":"${base64('photo')}"}`,
      { value: {}, texts: { image: 'photo' } },
    ],
    [
      'of which the last one counts',
      `{"image":"${base64('first')}","image":"${base64('last')}"}`,
      { value: {}, texts: { image: 'last' } },
    ],
    [
      'unless a later member of the name is something else',
      `{"image":"${base64('first')}","image":5}`,
      { value: { image: 5 }, texts: {} },
    ],
    [
      'but other values stay',
      '{"image":null,"other_image":["x"]}',
      { value: { image: null, other_image: ['x'] }, texts: {} },
    ],
    ['but not from arrays', '["image","x"]', { value: ['image', 'x'], texts: {} }],
    [
      'from the objects of an array',
      `{"images":[{"image":"${base64('a')}","a":1},{"a":2},{"a":{"image":"x"},"image":"${base64('b')}"}]}`,
      {
        value: { images: [{ a: 1 }, { a: 2 }, { a: { image: 'x' } }] },
        texts: { 'images.0.image': 'a', 'images.2.image': 'b' },
      },
    ],
    [
      'from the last array of the name alone',
      `{"images":[{"image":"${base64('a')}"},{"image":"${base64('b')}"}],"images":[{"image":"${base64('c')}"}]}`,
      { value: { images: [{}] }, texts: { 'images.0.image': 'c' } },
    ],
    [
      'but not from other values than arrays of objects',
      '{"images":{"image":"x","0":{"image":"y"},"*":{"image":"z"}}}',
      { value: { images: { image: 'x', 0: { image: 'y' }, '*': { image: 'z' } } }, texts: {} },
    ],
    [
      'and not from nested arrays',
      '{"images":[[{"image":"x"}],"image","y",["image"]],"a":{"images":[{"image":"z"}]}}',
      {
        value: {
          images: [[{ image: 'x' }], 'image', 'y', ['image']],
          a: { images: [{ image: 'z' }] },
        },
        texts: {},
      },
    ],
    ['also if they are no base64', '{"image":"no base64!"}', { value: {}, texts: { image: null } }],
  ])('%s', async (_, document, expected) => {
    expect(await receive(document)).toEqual(expected);
    expect(await receive(document, 1)).toEqual(expected);
    expect(await receive(document, 3)).toEqual(expected);
  });
});

const NOT_JSON = 'The body is not valid JSON.';
const NOT_UTF8 = 'The body is not valid UTF-8.';
const UNPAIRED = 'A text in the body contains an unpaired surrogate.';

describe('malformed documents are refused', () => {
  test.each<[string, string | Buffer, string]>([
    ['a line break in a text', '{"image":"AAAA\nAAAA"}', NOT_JSON],
    ['a bad escape in a text', '{"image":"AAAA\\xAAAA"}', NOT_JSON],
    ['an escape that is cut off by the end of its text', '{"image":"AAAA\\u00"}', NOT_JSON],
    ['an unpaired surrogate', '{"name":"\\ud800"}', UNPAIRED],
    ['a text without its end', '{"image":"AAAA', NOT_JSON],
    ['an escaped quote at the end', '{"image":"AAAA\\"}', NOT_JSON],
    ['two texts for one member', '{"image":"AAAA""AAAA"}', NOT_JSON],
    ['something behind the object', '{"image":"AAAA"}x', NOT_JSON],
    ['bytes that are no UTF-8 in a text', Buffer.from('{"image":"AA\xff"}', 'latin1'), NOT_UTF8],
    [
      'a character that is cut off in a text',
      Buffer.from('{"image":"AA\xc3"}', 'latin1'),
      NOT_UTF8,
    ],
    ['bytes that are no UTF-8 elsewhere', Buffer.from('{"a":"\xff"}', 'latin1'), NOT_UTF8],
    [
      'bytes that are not UTF-8 in a text that is not JSON either',
      Buffer.from('{"image":"\n","a":"\xff"', 'latin1'),
      NOT_UTF8,
    ],
    ['nothing', '', 'The body is empty.'],
  ])('%s', async (_, document, message) => {
    expect(await receive(document)).toBe(message);
    expect(await receive(document, 1)).toBe(message);
  });
});

const TOP = ['image', 'other_image'];
const IMAGES = 'images';

/** Removes the image texts from an object and returns the texts by path. */
function takenOut(object: Readonly<Record<string, unknown>>, names: readonly string[]): Received {
  const texts: Record<string, string | null> = {};
  const rest = Object.entries(object).flatMap(([name, member]): [string, unknown][] => {
    if (!names.includes(name)) return [[name, member]];
    if (name === IMAGES) return [[name, itemsTakenOut(member, texts)]];
    if (typeof member !== 'string') return [[name, member]];
    texts[name] = decoded(member);
    return [];
  });
  return { value: Object.fromEntries(rest), texts };
}

function itemsTakenOut(items: unknown, texts: Record<string, string | null>): unknown {
  if (!Array.isArray(items)) return items;
  return items.map((item: unknown, index) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    const received = takenOut(item as Readonly<Record<string, unknown>>, ['image']);
    for (const [name, text] of Object.entries(received.texts)) {
      texts[`${IMAGES}.${index}.${name}`] = text;
    }
    return received.value;
  });
}

/** The expected result, computed by JSON.parse. */
function parsed(document: string): Received | string {
  try {
    const value = JSON.parse(document) as unknown;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return { value, texts: {} };
    }
    return takenOut(value as Readonly<Record<string, unknown>>, [...TOP, IMAGES]);
  } catch {
    return NOT_JSON;
  }
}

function decoded(text: string): string | null {
  const digits = text.replace(/\s+/g, '').replace(/={1,2}$/, '');
  const isBase64 = /^[\w+/-]*$/.test(digits) && digits.length % 4 !== 1;
  return isBase64 ? Buffer.from(digits, 'base64').toString() : null;
}

const NAME = fc.constantFrom('image', 'other_image', 'images', 'label', 'a"b', '\\', 'ä');
const TEXT = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string().map(base64),
  fc.string({ unit: fc.constantFrom('"', '\\', '/', 'A', '\n', '€', '{', ',') }),
);
const ITEM = fc.oneof(
  { weight: 3, arbitrary: fc.dictionary(fc.constantFrom('image', 'a', '*', '0'), TEXT) },
  fc.jsonValue({ maxDepth: 2 }),
);
const VALUE = fc.oneof(TEXT, fc.array(ITEM, { maxLength: 3 }), fc.jsonValue({ maxDepth: 3 }));
const DOCUMENT = fc
  .array(fc.tuple(NAME, VALUE), { maxLength: 5 })
  .chain((members) =>
    fc.constantFrom(
      `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`,
      JSON.stringify(members),
      JSON.stringify(Object.fromEntries(members), null, 2),
      JSON.stringify(Object.fromEntries(members)).replaceAll('/', '\\/'),
    ),
  );

describe('random documents have the same result as with JSON.parse', () => {
  test('whole, and cut anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(DOCUMENT, fc.integer({ min: 1, max: 20 }), async (document, length) => {
        const expected = parsed(document.toWellFormed());
        expect(await receive(document.toWellFormed(), length)).toEqual(expected);
      }),
      { numRuns: 1000, seed: 7 },
    );
  });

  test('also with something removed, added or changed', async () => {
    const change = fc.tuple(
      fc.nat(200),
      fc.nat(2),
      fc.string({
        unit: fc.constantFrom('"', '\\', '{', '}', '[', ':', ',', 'x', '\n'),
        maxLength: 2,
      }),
    );
    await fc.assert(
      fc.asyncProperty(DOCUMENT, change, async (document, [at, removed, added]) => {
        const changed = (
          document.slice(0, at) +
          added +
          document.slice(at + removed)
        ).toWellFormed();
        if (changed === '' || changed.includes('__proto__')) return;
        expect(await receive(changed, 5)).toEqual(parsed(changed));
      }),
      { numRuns: 2000, seed: 8 },
    );
  });
});

describe('limits', () => {
  test('a text that is not an image cannot have megabytes', async () => {
    const long = 'x'.repeat(MIB);
    const refusal = `The body has more than ${MIB} bytes outside of image and other_image and images.*.image.`;
    expect(await receive(`{"label":"${long}"}`)).toBe(refusal);
    expect(await receive(`{"a":{"image":"${long}"}}`)).toBe(refusal);
    expect(await receive(`{"${long}":1}`)).toBe(refusal);
  });

  test.each([
    ['short strings', '"a",', '"a"'],
    ['objects', '{},', '{}'],
    ['members', '"a":1,', '"a":1'],
    ['open arrays', '[', ''],
    ['open objects', '{"a":', ''],
  ])('the number of values is limited: %s', async (_, one, last) => {
    const refusal = 'The body has more than 10000 values.';
    const under = (name: string, count: number) => `{"${name}":[${one.repeat(count)}${last}`;
    expect(await receive(under('images', 10_000))).toBe(refusal);
    expect(await receive(under('a', 10_000), 4096)).toBe(refusal);
    expect(await receive(under('a', 4_000))).toBe(NOT_JSON);
    const receiver = new JsonReceiver(NO_MEMBERS, { maxBytes: 2 * MIB, memory: undefined });
    receiver.push(Buffer.from(under('a', 10_000)));
    expect(() => receiver.finish()).toThrow(refusal);
  });

  test('commas and brackets inside of strings are no values', async () => {
    const text = '[{,\\"'.repeat(20_000);
    const expected = { value: { a: JSON.parse(`"${text}"`) as string }, texts: {} };
    expect(await receive(`{"a":"${text}"}`)).toEqual(expected);
    const receiver = new JsonReceiver(NO_MEMBERS, { maxBytes: 2 * MIB, memory: undefined });
    receiver.push(Buffer.from(`{"a":"${text}"}`));
    expect(receiver.finish().value).toEqual(expected.value);
  });

  test('with members that contain images, too many values are refused while they arrive', () => {
    const receiver = new JsonReceiver(MEMBERS, { maxBytes: 2 * MIB, memory: undefined });
    expect(() => receiver.push(Buffer.from(`{"a":[${'0,'.repeat(10_001)}`))).toThrow(
      expect.objectContaining({ code: 'body_too_large' }),
    );
  });

  test('an image in base64 reserves the memory of its bytes', () => {
    const memory = new BodyMemory(MIB);
    const receiver = new JsonReceiver(MEMBERS, { maxBytes: 2 * MIB, memory: memory.open(HOLDER) });
    receiver.push(Buffer.from('{"image":"'));
    receiver.push(Buffer.alloc(400_000, 'A'));
    const left = memory.open({ environment: '2', caller: 'key-2' });
    expect(left.add(MIB - 302_000)).toBe(true);
    expect(() => receiver.push(Buffer.alloc(400_000, 'A'))).toThrow(
      expect.objectContaining({ code: 'overloaded' }),
    );
  });

  test('empty images reserve memory, too, and their number is limited', () => {
    const memory = new BodyMemory(10 * MIB);
    const share = memory.open(HOLDER);
    const receiver = new JsonReceiver(MEMBERS, { maxBytes: MIB, memory: share });
    const images = (count: number) => Buffer.from('{"image":""},'.repeat(count));
    receiver.push(Buffer.from('{"images":['));
    receiver.push(images(1000));
    expect(memory.open({ environment: '2', caller: 'key-2' }).add(9.5 * MIB)).toBe(false);
    expect(() => receiver.push(images(1))).toThrow(
      expect.objectContaining({ code: 'too_many_parts' }),
    );
  });

  test('images that replace each other count, too', async () => {
    const images = '"images":[{"image":""}],'.repeat(1000);
    expect(await receive(`{${images}"image":""}`)).toBe('The body has more than 1000 images.');
  });

  test('a document that is longer than allowed is refused', () => {
    const receiver = new JsonReceiver(MEMBERS, { maxBytes: 10, memory: undefined });
    expect(() => receiver.push(Buffer.from('{"a":12345}'))).toThrow(
      expect.objectContaining({ code: 'body_too_large' }),
    );
  });
});
