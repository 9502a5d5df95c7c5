import { z } from 'zod';
import type { Environment } from './read-environment.ts';

/** One environment variable: its name, its meaning and its values. */
export interface Variable<Value> {
  readonly name: `SIGHTLINE_${string}`;
  /** The meaning, for `--help` and the documentation. */
  readonly description: string;
  /**
   * The text that is used when the variable is unset or empty; null means that it has no value then. A function
   * gets the other variables.
   */
  readonly default: string | null | ((environment: Environment) => string);
  /** How to show a default that depends on the machine. */
  readonly defaultShown?: string;
  /** Whether the text may contain a secret: it is not repeated in error messages then. */
  readonly secret?: true;
  /** Parses the text of the variable; null: it is unset. */
  readonly schema: z.ZodType<Value, string | null>;
}

/** Variables by the names that they have in the code. */
export type Variables = Readonly<Record<string, Variable<unknown>>>;

/** The values of variables. */
export type ValuesOf<Group extends Variables> = {
  readonly [Key in keyof Group]: Group[Key] extends Variable<infer Value> ? Value : never;
};

export function variable<Value>(definition: Variable<Value>): Variable<Value> {
  return definition;
}

/** Any text, such as a name or a path; null if it is unset. */
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

/** Bytes, or with a unit: a power of 1,000 (MB) or of 1,024 (MiB). */
export function size(): z.ZodType<number, string | null> {
  const pattern = /^(\d{1,12}) ?(?:([KMGT])(i?)B|B)?$/i;
  return z
    .string()
    .regex(pattern, 'has to be a number of bytes, or one with a unit, such as 256MB or 2GiB')
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

/** The address of a server, such as `https://s3.example.org:9000`; null if it is unset. */
export function origin(): z.ZodType<string | null, string | null> {
  return z.string().refine(isOrigin, 'has to be http:// or https:// and a host').nullable();
}

/** Whether a text is the address of a server, without a path and without credentials. */
export function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  return url.pathname === '/' && url.search + url.hash + url.username + url.password === '';
}
