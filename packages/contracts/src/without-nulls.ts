import { z } from 'zod';

/**
 * Removes optional members whose value is null, because some clients send null instead of omitting a member. Keeps a
 * null if the schema allows null as a value or requires the member.
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

/**
 * Whether a null means that the member is absent. The member must be optional, and its schema must not allow null as
 * a value.
 */
export function takesNullAsAbsent(member: z.ZodType): boolean {
  return member.safeParse(undefined).success && !member.safeParse(null).success;
}

function isAbsentIfNull(shape: Readonly<Record<string, z.ZodType>>, name: string): boolean {
  return Object.hasOwn(shape, name) && takesNullAsAbsent(shape[name]!);
}

/** The schema of a value without the optional and nullable wrappers. */
function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return unwrap(schema.unwrap() as z.ZodType);
  }
  return schema instanceof z.ZodPipe ? unwrap(schema.in as z.ZodType) : schema;
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
