import { z } from 'zod';

/**
 * Removes members that are null and optional: callers whose language has no absent members send
 * null for them. Members for which null is a value stay, as do those that the schema requires.
 */
export function withoutNulls(schema: z.ZodType, json: unknown): unknown {
  const known = unwrap(schema);
  if (known instanceof z.ZodArray && Array.isArray(json)) {
    return json.map((item) => withoutNulls(known.element as z.ZodType, item));
  }
  if (!(known instanceof z.ZodObject) || !isObject(json)) return json;
  const shape = known.shape as Readonly<Record<string, z.ZodType>>;
  const members = Object.entries(json).filter(
    ([name, value]) => value !== null || !isAbsentIfNull(shape, name),
  );
  return Object.fromEntries(
    members.map(([name, value]) => [
      name,
      Object.hasOwn(shape, name) ? withoutNulls(shape[name]!, value) : value,
    ]),
  );
}

/** Whether null means the same as an absent member: the member is optional, and null is none of its values. */
export function takesNullAsAbsent(member: z.ZodType): boolean {
  return member.safeParse(undefined).success && !member.safeParse(null).success;
}

function isAbsentIfNull(shape: Readonly<Record<string, z.ZodType>>, name: string): boolean {
  return Object.hasOwn(shape, name) && takesNullAsAbsent(shape[name]!);
}

/** The type of a value that is present and not null. */
function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return unwrap(schema.unwrap() as z.ZodType);
  }
  return schema instanceof z.ZodPipe ? unwrap(schema.in as z.ZodType) : schema;
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
