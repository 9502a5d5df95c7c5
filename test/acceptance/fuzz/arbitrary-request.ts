import fc from 'fast-check';
import type { JsonSchema, Operation } from './openapi-operations.ts';

/** The images and addresses that requests are made from. */
export interface Material {
  /** Encoded images that decode. */
  readonly images: readonly Uint8Array<ArrayBuffer>[];
  /** Addresses that answer with an image. */
  readonly imageUrls: readonly string[];
}

export interface FuzzRequest {
  readonly target: string;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array<ArrayBuffer> | FormData | undefined;
}

type Value = string | number | boolean | null | Uint8Array<ArrayBuffer> | readonly Value[];
type Members = Record<string, Value | undefined>;

const HOSTILE_TEXT = [
  '',
  ' ',
  '0',
  '-1',
  '1e999',
  'NaN',
  'null',
  '[]',
  '\u0000',
  '\ud800',
  '../../etc/passwd',
  "' OR 1=1 --",
  '%00%ff',
  'data:image/png;base64,',
  'data:image/svg+xml;base64,PHN2Zy8+',
  'ＡＬＬ',
  'x'.repeat(10_000),
] as const;

// Nothing here leads off this machine: loopback, refused ranges, and names that cannot exist.
const HOSTILE_URLS = [
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
] as const;

const hostileText = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXT),
  fc.string({ maxLength: 40, unit: 'binary' }),
);

const hostileBytes = ({ images }: Material): fc.Arbitrary<Uint8Array<ArrayBuffer>> =>
  fc.oneof(
    fc.uint8Array({ maxLength: 400 }).map((bytes) => Uint8Array.from(bytes)),
    fc
      .tuple(fc.constantFrom(...images), fc.double({ min: 0, max: 1, noNaN: true }))
      .map(([image, share]) => image.slice(0, Math.floor(image.length * share))),
    fc
      .tuple(fc.constantFrom(...images), fc.nat(), fc.nat(255))
      .map(([image, at, value]) => image.with(at % image.length, value)),
    fc.constantFrom('<svg xmlns="http://www.w3.org/2000/svg"/>', '%PDF-1.7').map(encode),
  );

function encode(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(text));
}

const base64 = (bytes: fc.Arbitrary<Uint8Array>): fc.Arbitrary<string> =>
  fc.tuple(bytes, fc.boolean()).map(([image, asUri]) => {
    const text = Buffer.from(image).toString('base64');
    return asUri ? `data:image/jpeg;base64,${text}` : text;
  });

/** Values that the schema allows; images and addresses by the member's name and format. */
function valid(name: string, schema: JsonSchema, material: Material): fc.Arbitrary<Value> {
  if (schema.enum !== undefined) return fc.constantFrom(...(schema.enum as Value[]));
  if (schema.anyOf !== undefined) {
    return fc.oneof(...schema.anyOf.map((choice) => valid(name, choice, material)));
  }
  return validOfType(name, schema, material);
}

function validOfType(name: string, schema: JsonSchema, material: Material): fc.Arbitrary<Value> {
  const { type, minimum = 0, maximum = 1000, minItems = 0 } = schema;
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return fc.integer({ min: minimum, max: maximum });
  if (type === 'number') return fc.double({ min: minimum, max: maximum, noNaN: true });
  if (type !== 'array') return validText(name, schema, material);
  const item = valid(name, schema.items ?? {}, material);
  return fc.array(item, { minLength: minItems, maxLength: Math.max(minItems, 3) });
}

function validText(name: string, schema: JsonSchema, material: Material): fc.Arbitrary<Value> {
  if (schema.format === 'binary') return fc.constantFrom(...material.images);
  if (schema.format === 'uri') return fc.constantFrom(...material.imageUrls);
  if (name.includes('base64')) return base64(fc.constantFrom(...material.images));
  return fc.string({ maxLength: 20 });
}

/** Values that the schema may well refuse. */
function hostile(name: string, schema: JsonSchema, material: Material): fc.Arbitrary<Value> {
  if (schema.type === 'array') return fc.array(hostile(name, schema.items ?? {}, material));
  if (schema.format === 'binary') return hostileBytes(material);
  if (schema.format === 'uri') return fc.oneof(fc.constantFrom(...HOSTILE_URLS), hostileText);
  if (name.includes('base64')) return fc.oneof(base64(hostileBytes(material)), hostileText);
  return fc.oneof(hostileText, fc.double(), fc.integer(), fc.constant(null));
}

/** Each member is absent, valid or hostile; an operation with one image often gets just one. */
function arbitraryMembers(
  schemas: Readonly<Record<string, JsonSchema>>,
  material: Material,
): fc.Arbitrary<Members> {
  const members = Object.entries(schemas).map(([name, schema]) => [
    name,
    fc.oneof(
      { weight: 5, arbitrary: fc.constant(undefined) },
      { weight: 4, arbitrary: valid(name, schema, material) },
      { weight: 2, arbitrary: hostile(name, schema, material) },
    ),
  ]);
  return fc.record(Object.fromEntries(members) as Record<string, fc.Arbitrary<Value | undefined>>);
}

/** Any request to the operation: right, nearly right, or meant to do harm. */
export function arbitraryRequest(
  operation: Operation,
  material: Material,
): fc.Arbitrary<FuzzRequest> {
  const query = arbitraryMembers(operation.query, material);
  return fc.tuple(query, arbitraryBody(operation, material)).map(([parameters, body]) => ({
    target: operation.path + toQuery(parameters),
    ...body,
  }));
}

type Body = Pick<FuzzRequest, 'headers' | 'body'>;

function arbitraryBody(operation: Operation, material: Material): fc.Arbitrary<Body> {
  const none = fc.constant({ headers: {}, body: undefined });
  const bodies = Object.entries(operation.bodies).map(([mediaType, schema]) =>
    arbitraryMembers(schema.properties ?? {}, material).map((members) =>
      mediaType === 'application/json' ? toJson(members) : toForm(members),
    ),
  );
  if (bodies.length === 0) return none;
  return fc.oneof(
    { weight: 1, arbitrary: none },
    { weight: 2, arbitrary: hostileBody(material) },
    { weight: 12, arbitrary: fc.oneof(...bodies) },
  );
}

/** Bodies that are wrong as such, whatever the endpoint takes. */
function hostileBody(material: Material): fc.Arbitrary<Body> {
  const contentType = fc.constantFrom(
    'application/json',
    'application/json; charset=utf-16',
    'multipart/form-data',
    'multipart/form-data; boundary=x',
    'text/plain',
    'image/jpeg',
    'a',
  );
  const body = fc.oneof(
    hostileBytes(material),
    fc.json().map(encode),
    fc.constantFrom('{"image_base64":', '[[[[', '--x\r\n', '--x--\r\n', '\ufeff{}').map(encode),
  );
  return fc.record({ headers: contentType.map((type) => ({ 'content-type': type })), body });
}

function toQuery(members: Members): string {
  const query = new URLSearchParams();
  for (const [name, value] of present(members)) query.append(name, asText(value));
  return query.size === 0 ? '' : `?${query.toString()}`;
}

function toJson(members: Members): Body {
  const plain = present(members).map(([name, value]) => [name, value]);
  return {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(plain)),
  };
}

function toForm(members: Members): Body {
  const form = new FormData();
  for (const [name, value] of present(members)) {
    for (const one of Array.isArray(value) ? (value as readonly Value[]) : [value]) {
      if (one instanceof Uint8Array) form.append(name, new Blob([one]), 'photo.jpg');
      else form.append(name, asText(one));
    }
  }
  return { headers: {}, body: form };
}

function present(members: Members): [string, Value][] {
  return Object.entries(members).filter(
    (entry): entry is [string, Value] => entry[1] !== undefined,
  );
}

function asText(value: Value): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
