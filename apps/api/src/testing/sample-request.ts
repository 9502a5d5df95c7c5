import { API_CONTRACTS } from '@sightline/contracts/api-contracts';
import type { Client } from '@sightline/contracts/client';
import type { BodyContract, RouteContract } from '@sightline/contracts/define-contract';
import { z } from 'zod';

export type Operation = keyof typeof API_CONTRACTS;

export interface Samples {
  /** Path parameters, by the segment before them: `{ identities: { id: 7 } }` for `/api/identities/{id}`. */
  readonly records: Readonly<Record<string, Readonly<Record<string, string | number>>>>;
  /** The image that every request with a file sends. */
  readonly file: File;
  /** The files of operations that take other files than images. */
  readonly files?: Readonly<Partial<Record<Operation, File>>>;
  /** Members of bodies, by name. Ids are required here; other members are made from the schema if absent. */
  readonly members: Readonly<Record<string, unknown>>;
}

export interface SampleAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: object | string | null;
  readonly problem: object | null;
}

/**
 * Calls an endpoint with a valid request, made from its contract. The request has the required parameters and all
 * members of the body, but only the first of several exclusive members.
 *
 * @throws Error if the samples lack a record or an id that the contract asks for
 */
export function callWithSample(
  client: Client,
  operation: Operation,
  samples: Samples & {
    readonly headers?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, unknown>>;
  },
): Promise<SampleAnswer> {
  const contract: RouteContract = API_CONTRACTS[operation];
  const { body } = contract.request;
  const call = client[operation] as (input: object) => Promise<SampleAnswer>;
  return call({
    path: sampleParameters(contract.path, samples),
    query: { ...sampleQuery(contract.request.query), ...samples.query },
    body: body && {
      ...sampleFields(body, samples),
      ...sampleFiles(body, samples.files?.[operation] ?? samples.file),
    },
    headers: samples.headers,
  });
}

function sampleParameters(path: string, { records }: Samples): Record<string, string | number> {
  const [, collection, rest = ''] = /\/([^/{]+)\/(\{.*)$/.exec(path) ?? [];
  const names = [...rest.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  return Object.fromEntries(
    names.map((name) => {
      const value = records[collection!]?.[name];
      if (value === undefined) throw new Error(`There is no ${collection}.${name} for ${path}.`);
      return [name, value];
    }),
  );
}

/** Sample values of the required query parameters. No contract has a required query parameter that names a record. */
function sampleQuery(query: z.ZodObject = z.object({})): Record<string, unknown> {
  const {
    properties = {},
    required = [],
    $defs = {},
  } = z.toJSONSchema(query, {
    io: 'input',
  }) as ObjectSchema;
  return Object.fromEntries(required.map((name) => [name, sampleValue(properties[name]!, $defs)]));
}

function sampleFiles(body: BodyContract, file: File): Record<string, File | File[]> {
  const files = Object.entries(body.files.shape);
  return Object.fromEntries(
    files.map(([name, schema]) => [name, schema instanceof z.ZodArray ? [file] : file]),
  );
}

function sampleFields(body: BodyContract, { members }: Samples): Record<string, unknown> {
  const skipped = body.exactlyOneOf.flatMap((group) => group.slice(1));
  const { properties = {}, $defs = {} } = z.toJSONSchema(body.fields, {
    io: 'input',
  }) as ObjectSchema;
  const fields = Object.entries(properties).filter(
    ([name, { not }]) => !skipped.includes(name) && not === undefined,
  );
  return Object.fromEntries(
    fields.map(([name, schema]) => {
      if (name in members) return [name, members[name]];
      if (/_ids?$/.test(name)) throw new Error(`There is no sample of ${name}.`);
      return [name, sampleValue(schema, $defs)];
    }),
  );
}

type Schemas = Readonly<Record<string, JsonSchema>>;

interface ObjectSchema {
  readonly properties?: Schemas;
  readonly required?: readonly string[];
  readonly $defs?: Schemas;
}

interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly minimum?: number;
  readonly not?: object;
  readonly format?: string;
}

function sampleValue(schema: JsonSchema, named: Schemas): unknown {
  if (schema.$ref) return sampleValue(named[schema.$ref.replace('#/$defs/', '')]!, named);
  if (schema.anyOf) return sampleValue(schema.anyOf[0]!, named);
  if (schema.enum) return schema.enum[0];
  if (schema.items) return [sampleValue(schema.items, named)];
  if (schema.format === 'date-time') return '2100-01-01T00:00:00Z';
  // All members of the objects in bodies are optional.
  if (schema.type === 'object') return {};
  const values: Readonly<Record<string, unknown>> = {
    string: 'Carl',
    boolean: true,
    integer: Math.max(schema.minimum ?? 1, 1),
    number: 0.5,
  };
  const type = [schema.type ?? []].flat().find((each) => each in values);
  if (type === undefined) throw new Error(`There is no sample of ${JSON.stringify(schema)}.`);
  return values[type];
}
