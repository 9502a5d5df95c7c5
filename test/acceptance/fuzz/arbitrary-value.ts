import fc from 'fast-check';
import { hostileImage, hostileNumber, hostileText, hostileUrl } from './hostile-values.ts';
import type { KnownValues } from './known-values.ts';
import type { JsonSchema } from './openapi-document.ts';

/** What requests are made from. */
export interface Material {
  /** Encoded images that decode. */
  readonly images: readonly Uint8Array<ArrayBuffer>[];
  /** Addresses that answer with an image. */
  readonly imageUrls: readonly string[];
  readonly known: KnownValues;
}

export type Value =
  string | number | boolean | null | undefined | Uint8Array<ArrayBuffer> | readonly Value[];

// Few, so that they meet again: with records, with each other, and with classes of objects.
const LABELS = ['Ada', ' Ada ', 'ADA', 'Beate', 'Zoë', 'Zoe\u0308', 'person', 'bus'] as const;
const REFERENCES = ['', 'album/1', 'album/2', '42'] as const;

/** Values that the schema allows; by the member's name and format such as mean something. */
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
  return valueOfType(name, schema, material);
}

function valueOfType(name: string, schema: JsonSchema, material: Material): fc.Arbitrary<Value> {
  const { type, minItems = 0 } = schema;
  if (type === 'null') return fc.constant(null);
  if (type === 'boolean') return fc.boolean();
  if (type === 'number') return fc.double({ min: schema.minimum ?? 0, max: 1, noNaN: true });
  if (type === 'integer') return validInteger(name, schema, material);
  if (type !== 'array') return validText(name, schema, material);
  const item = validValue(name.replace(/_ids$/, '_id'), schema.items ?? {}, material);
  return fc.array(item, { minLength: minItems, maxLength: Math.max(minItems, 3) });
}

function validInteger(
  name: string,
  { minimum = 0, maximum = 1000 }: JsonSchema,
  { known }: Material,
): fc.Arbitrary<Value> {
  const any = fc.integer({ min: minimum, max: maximum });
  if (!name.endsWith('_id')) return any;
  return fc.oneof({ weight: 6, arbitrary: known.draw(name) }, { weight: 1, arbitrary: any });
}

function validText(name: string, schema: JsonSchema, material: Material): fc.Arbitrary<Value> {
  const images = fc.constantFrom(...material.images);
  if (schema.format === 'binary') return images;
  if (schema.format === 'uri') return fc.constantFrom(...material.imageUrls);
  if (schema.format === 'date-time') return time.map((date) => date.toISOString());
  if (schema.format === 'date') return time.map((date) => date.toISOString().slice(0, 10));
  if (name.includes('base64')) return base64(images);
  if (name === 'cursor') return material.known.draw(name);
  if (name === 'external_ref') return fc.constantFrom(...REFERENCES);
  return fc.oneof(fc.constantFrom(...LABELS), fc.string({ maxLength: 20 }));
}

const time = fc.date({
  min: new Date('1970-01-01'),
  max: new Date('2100-01-01'),
  noInvalidDate: true,
});

/** Values that the schema may well refuse. */
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
  if (schema.type === 'array') return fc.array(hostileOne(name, schema.items ?? {}, material));
  const image = hostileImage(material.images);
  if (schema.format === 'binary') return image;
  if (schema.format === 'uri') return hostileUrl;
  if (name.includes('base64')) return fc.oneof(base64(image), hostileText);
  return fc.oneof(hostileText, hostileNumber, fc.constant(null));
}

function base64(bytes: fc.Arbitrary<Uint8Array>): fc.Arbitrary<string> {
  return fc.tuple(bytes, fc.boolean()).map(([image, asUri]) => {
    const text = Buffer.from(image).toString('base64');
    return asUri ? `data:image/jpeg;base64,${text}` : text;
  });
}
