import fc from 'fast-check';
import { hostileImage, hostileNumber, hostileText, hostileUrl } from './hostile-values.ts';
import type { KnownValues } from './known-values.ts';
import type { JsonSchema } from './openapi-document.ts';

/** The sources of a request's values. */
export interface Material {
  /** Encoded images that decode. */
  readonly images: readonly Uint8Array<ArrayBuffer>[];
  readonly archives: readonly Uint8Array<ArrayBuffer>[];
  /** URLs that respond with an image. */
  readonly imageUrls: readonly string[];
  readonly known: KnownValues;
}

export type Value =
  | string
  | number
  | boolean
  | null
  | undefined
  | Uint8Array<ArrayBuffer>
  | readonly Value[]
  | { readonly [name: string]: Value };

// A few labels, so that they coincide with labels of records, with each other, and with classes of objects.
const LABELS = ['Ada', ' Ada ', 'ADA', 'Beate', 'Zoë', 'Zoe\u0308', 'person', 'bus'] as const;
/** Search texts: parts of labels, misspelled labels, and the wildcards of SQL. */
const SEARCHES = ['a', 'ad', 'bea', 'zoe', 'ZOË', 'Beatte', 'perosn', '%', '_', 'a%'] as const;
/** The passwords of the accounts that requests create. */
export const PASSWORDS = ['a fuzzed password', 'another password'] as const;
const REFERENCES = ['', 'album/1', 'album/2', '42'] as const;

/**
 * Values that the schema accepts. Some names and formats of members get values that mean something to the
 * service.
 */
export function validValue(
  name: string,
  schema: JsonSchema,
  material: Material,
): fc.Arbitrary<Value> {
  if (schema.enum !== undefined) return fc.constantFrom(...(schema.enum as Value[]));
  if (schema.not !== undefined) return fc.constant(undefined);
  if (schema.anyOf !== undefined) {
    const choices = schema.anyOf.map((choice) => validValue(name, choice, material));
    return fc.oneof(...choices, material.known.draw(name));
  }
  if (isList(schema.type)) {
    const choices = schema.type.map((type) => validValue(name, { ...schema, type }, material));
    return fc.oneof(...choices);
  }
  return valueOfType(name, schema, material);
}

function isList(type: JsonSchema['type']): type is readonly string[] {
  return Array.isArray(type);
}

function valueOfType(name: string, schema: JsonSchema, material: Material): fc.Arbitrary<Value> {
  const { type, minItems = 0 } = schema;
  if (type === 'null') return fc.constant(null);
  if (type === 'boolean') return fc.boolean();
  if (type === 'number') return validNumber(name, schema);
  if (type === 'integer') return validInteger(name, schema, material);
  if (type === 'object') return validObject(schema, material);
  if (type !== 'array') return validText(name, schema, material);
  const item = validValue(name.replace(/_ids$/, '_id'), schema.items ?? {}, material);
  return fc.array(item, { minLength: minItems, maxLength: Math.max(minItems, 3) });
}

/** All required members, and some of the others. */
function validObject(schema: JsonSchema, material: Material): fc.Arbitrary<Value> {
  const { properties = {}, required = [] } = schema;
  const members = Object.entries(properties).map(([name, member]) => {
    const value = validValue(name, member, material);
    return [name, required.includes(name) ? value : fc.option(value, { nil: undefined })];
  });
  return fc.record(Object.fromEntries(members) as Record<string, fc.Arbitrary<Value>>);
}

/**
 * The coordinates and sides of a box are pixels of a drawn photo, 1 to 99. All other numbers, such as thresholds, are
 * at most 1.
 */
function validNumber(name: string, { minimum = 0 }: JsonSchema): fc.Arbitrary<Value> {
  const isOfBox = /^[xywh]$/.test(name);
  return fc.double({ min: isOfBox ? 1 : minimum, max: isOfBox ? 99 : 1, noNaN: true });
}

function validInteger(
  name: string,
  { minimum = 0, maximum = 1000 }: JsonSchema,
  { known }: Material,
): fc.Arbitrary<Value> {
  const any = fc.integer({ min: Math.max(minimum, 0), max: Math.min(maximum, 1000) });
  // The parameter `into` is the id of the identity into which a merge moves the faces.
  if (!/_id$|^into$/.test(name)) return any;
  return fc.oneof({ weight: 6, arbitrary: known.draw(name) }, { weight: 1, arbitrary: any });
}

function textOfFormat(
  format: JsonSchema['format'],
  { imageUrls, known }: Material,
): fc.Arbitrary<Value> | undefined {
  const newEmail = fc.uuid().map((name) => `${name}@example.org`);
  const texts: Readonly<Record<string, fc.Arbitrary<Value>>> = {
    uri: fc.constantFrom(...imageUrls),
    'date-time': time.map((date) => date.toISOString()),
    date: time.map((date) => date.toISOString().slice(0, 10)),
    email: fc.oneof(known.draw('email'), newEmail),
    password: fc.constantFrom(...PASSWORDS),
  };
  return format === undefined ? undefined : texts[format];
}

function validText(name: string, schema: JsonSchema, material: Material): fc.Arbitrary<Value> {
  const images = fc.constantFrom(...material.images);
  if (schema.format === 'binary') {
    const archives = fc.constantFrom(...material.archives);
    return fc.oneof({ weight: 4, arbitrary: images }, { weight: 1, arbitrary: archives });
  }
  if (/^(cursor|token|\w+_id)$/.test(name)) return material.known.draw(name);
  const formatted = textOfFormat(schema.format, material);
  if (formatted !== undefined) return formatted;
  if (name.includes('base64')) return base64(images);
  if (name === 'locale') return fc.constantFrom('de', 'pt-BR');
  if (name === 'external_ref') return fc.constantFrom(...REFERENCES);
  if (name === 'q') return fc.oneof(fc.constantFrom(...SEARCHES), fc.string({ minLength: 1 }));
  return fc.oneof(fc.constantFrom(...LABELS), fc.string({ maxLength: 20 }));
}

const time = fc.date({
  min: new Date('1970-01-01'),
  max: new Date('2100-01-01'),
  noInvalidDate: true,
});

/** Values that the schema may refuse. */
export function hostileValue(
  name: string,
  schema: JsonSchema,
  material: Material,
): fc.Arbitrary<Value> {
  const twice = fc.array(validValue(name, schema, material), { minLength: 2, maxLength: 3 });
  return fc.oneof(
    { weight: 1, arbitrary: twice },
    { weight: 6, arbitrary: hostileOne(name, schema, material) },
  );
}

function hostileOne(name: string, schema: JsonSchema, material: Material): fc.Arbitrary<Value> {
  if (schema.anyOf !== undefined) {
    return fc.oneof(...schema.anyOf.map((choice) => hostileOne(name, choice, material)));
  }
  if (schema.type === 'array') return hostileList(name, schema, material);
  if (schema.type === 'object') return hostileObject(schema, material);
  const image = hostileImage(material.images);
  if (schema.format === 'binary') return image;
  if (schema.format === 'uri') return hostileUrl;
  if (name.includes('base64')) return fc.oneof(base64(image), hostileText);
  return fc.oneof(hostileText, hostileNumber, fc.constant(null));
}

/** A list with hostile items, or with one item more than any list of ids may have. */
function hostileList(name: string, { items = {} }: JsonSchema, material: Material) {
  const tooLong = Array.from({ length: 1_001 }, (_, i) => i + 1);
  return fc.oneof(
    { weight: 4, arbitrary: fc.array(hostileOne(name, items, material)) },
    { weight: 1, arbitrary: fc.constant(tooLong) },
  );
}

/** An object with hostile or missing members, for example a box without a side or outside of its image. */
function hostileObject({ properties = {} }: JsonSchema, material: Material): fc.Arbitrary<Value> {
  const members = Object.entries(properties).map(([name, schema]) => [
    name,
    fc.option(hostileOne(name, schema, material), { nil: undefined, freq: 4 }),
  ]);
  return fc.record(Object.fromEntries(members) as Record<string, fc.Arbitrary<Value>>);
}

function base64(bytes: fc.Arbitrary<Uint8Array>): fc.Arbitrary<string> {
  return fc.tuple(bytes, fc.boolean()).map(([image, asUri]) => {
    const text = Buffer.from(image).toString('base64');
    return asUri ? `data:image/jpeg;base64,${text}` : text;
  });
}
