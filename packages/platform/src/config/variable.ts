import { z } from 'zod';
import type { Environment } from './read-environment.ts';

export interface Variable<Value> {
  readonly name: `SIGHTLINE_${string}`;
  readonly description: string;
  /**
   * The text that replaces an unset or empty variable; null if the variable has no default. A function computes the
   * default from the whole environment.
   */
  readonly default: string | null | ((environment: Environment) => string | null);
  /** The default as `--help` and the documentation describe it, if the default depends on the machine. */
  readonly defaultShown?: string;
  /** Whether the text may contain a secret. Error messages do not repeat such a text. */
  readonly secret?: true;
  /** Parses the text of the variable. The input is null if the variable is unset and has no default. */
  readonly schema: z.ZodType<Value, string | null>;
}

export type Variables = Readonly<Record<string, Variable<unknown>>>;

export type ValuesOf<Group extends Variables> = {
  readonly [Key in keyof Group]: Group[Key] extends Variable<infer Value> ? Value : never;
};

export function variable<Value>(definition: Variable<Value>): Variable<Value> {
  return definition;
}

/** The schema of any text, such as a name or a path; null if the variable is unset. */
export function optionalText(): z.ZodType<string | null, string | null> {
  return z.string().nullable();
}

export function wholeNumber(least: number, most: number): z.ZodType<number, string | null> {
  const message = `has to be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= least && value <= most, message);
}

/**
 * The schema of a size: a number of bytes, or a number with a decimal unit such as MB (1,000,000 bytes) or a binary
 * unit such as MiB (1,048,576 bytes).
 */
export function size(): z.ZodType<number, string | null> {
  const pattern = /^(\d{1,12}) ?(?:([KMGT])(i?)B|B)?$/i;
  return z
    .string()
    .regex(pattern, 'has to be a number of bytes, or a number with a unit, such as 256MB or 2GiB')
    .transform((text) => {
      const [, number, unit = '', binary = ''] = pattern.exec(text)!;
      const power = unit === '' ? 0 : 'KMGT'.indexOf(unit.toUpperCase()) + 1;
      return Number(number) * (binary === '' ? 1000 : 1024) ** power;
    });
}

export function oneOf<const Values extends readonly [string, ...string[]]>(
  values: Values,
): z.ZodType<Values[number], string | null> {
  const list = `${values.slice(0, -1).join(', ')} or ${values.at(-1) ?? ''}`;
  return z.enum(values, { error: `has to be ${list}` });
}

/** The schema of a server's address, such as `https://s3.example.org:9000`; null if the variable is unset. */
export function origin(): z.ZodType<string | null, string | null> {
  return z.string().refine(isOrigin, 'has to be http:// or https:// and a host').nullable();
}

/** Whether a text is an http or https URL without a path, a query and credentials. */
export function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  return url.pathname === '/' && url.search + url.hash + url.username + url.password === '';
}
