import { z } from 'zod';
import {
  type BodyContract,
  type HttpMethod,
  isBodyOptional,
  isForEnvironment,
  type RequiredRight,
  type RequestMediaType,
  type RouteContract,
} from './define-contract.ts';
import { OPENAPI_PARAMETERS } from './openapi-parameters.ts';
import { Problem, type ProblemCode, PROBLEMS } from './problem.ts';
import type { ProblemDefinition } from './problem-definition.ts';
import { problemsOf } from './problems-of.ts';
import { type Tag, TAGS } from './tags.ts';
import { takesNullAsAbsent } from './without-nulls.ts';

type Json = Record<string, unknown>;

export interface OpenApiDocument extends Json {
  readonly openapi: '3.1.1';
  readonly paths: Record<string, Json>;
  readonly components: {
    readonly schemas: Record<string, unknown>;
    readonly responses: Record<string, unknown>;
  } & Json;
}

/**
 * Builds the OpenAPI 3.1 document, which takes hundreds of milliseconds for all contracts.
 * @param contracts the keys are the operation ids
 * @param pause runs between two operations, so that a service can do other work meanwhile
 */
export async function buildOpenApi(
  contracts: Readonly<Record<string, RouteContract>>,
  version: string,
  pause: () => Promise<unknown> = () => Promise.resolve(),
): Promise<OpenApiDocument> {
  const schemas: Record<string, unknown> = {};
  const problems: Record<string, unknown> = {};
  const toSchema: ToSchema = (schema, side) => hoistDefinitions(schema, { schemas, side });
  const components = { schemas, problems, toSchema };
  const paths: Record<string, Json> = {};
  for (const [operationId, contract] of inReadingOrder(contracts)) {
    const path = (paths[contract.path] ??= {});
    path[contract.method.toLowerCase()] = {
      operationId,
      ...describeRoute({ operationId, contract }, components),
    };
    await pause();
  }
  toSchema(Problem, 'response');
  return {
    openapi: '3.1.1',
    info: {
      title: 'Sightline',
      version,
      summary: 'Detects faces and objects in images and stores their identities.',
      description: ANY_ENDPOINT,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The service that sent this document.' }],
    tags: TAG_ORDER.map((name) => ({ name, description: TAGS[name] })),
    paths,
    components: {
      schemas: sorted(schemas),
      responses: sorted(problems),
      headers: HEADERS,
      parameters: OPENAPI_PARAMETERS,
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'A key belongs to one environment; its type says what it may do there.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'sightline_session',
          description:
            'The session of a browser, honored for requests from a page of the service. `X-Environment-Id` names the environment; without it, requests are for the default one of the account. Behind https the name begins with `__Host-`.',
        },
      },
    },
  };
}

const TAG_ORDER = Object.keys(TAGS) as Tag[];
const METHOD_ORDER: readonly HttpMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

function inReadingOrder(
  contracts: Readonly<Record<string, RouteContract>>,
): [operationId: string, contract: RouteContract][] {
  return Object.entries(contracts).sort(
    ([, a], [, b]) =>
      TAG_ORDER.indexOf(a.tag) - TAG_ORDER.indexOf(b.tag) ||
      compareTexts(a.path, b.path) ||
      METHOD_ORDER.indexOf(a.method) - METHOD_ORDER.indexOf(b.method),
  );
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The description of the document, which contains notes that apply to all endpoints. */
const ANY_ENDPOINT = [
  'Responses are JSON. Errors are problem documents (RFC 9457) with the media type `application/problem+json`; clients handle them by their `code`.',
  'Text is Unicode in UTF-8: unpaired surrogates and other bytes are refused. Numbers in paths, queries and forms are written in decimal digits, such as `-0.25`.',
  'In a JSON body, null means that an optional member is absent, unless null is one of the documented values of the member.',
  'A JSON body may be compressed, with `Content-Encoding: gzip` or `deflate`; its limit applies to the decoded body, too. A client that sends `Expect: 100-continue` is asked for its body after the key, the parameters and the announced length have been checked.',
  'Every response has an `X-Request-Id`: the one of the request if it is valid, else a generated one. A response with 401 says in `WWW-Authenticate` how to authenticate. These two headers are not listed again for each response.',
  'With a session, `X-Environment-Id` names the environment of a request. If it is no id, the response is 400 `invalid_request`; if the account is no member of the environment, it is 404 `not_found`. An administrator needs no environment for the requests that `x-installation` describes: those whose parameter has a value with that beginning.',
  'In addition to the responses that are listed for an endpoint, every path can answer:',
  ...(['method_not_allowed', 'internal_error'] as const).map((code) => {
    const { status, description } = PROBLEMS[code];
    return `- ${status} \`${code}\`: ${description}`;
  }),
].join('\n\n');

const HEADERS = {
  RetryAfter: {
    description: 'Seconds to wait before a retry.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  RetryLater: {
    description: 'Seconds to wait before a retry; present with temporary errors only.',
    required: false,
    schema: { type: 'integer', minimum: 0 },
  },
  OperationId: {
    description: 'Id of the operation that the request is; absent if it changed nothing.',
    required: false,
    schema: { type: 'string', pattern: '^[0-9]+$' },
  },
  IdempotencyReplayed: {
    description:
      '`true` if this is the stored response of an earlier request with the same `Idempotency-Key`.',
    required: false,
    schema: { const: 'true' },
  },
};

const headerReference = (name: keyof typeof HEADERS) => ({
  $ref: `#/components/headers/${name}`,
});

/** Whether callers send a value or get it. The service refuses integers that JavaScript cannot represent exactly. */
type Side = 'request' | 'response';

type ToSchema = (schema: z.ZodType, side: Side) => Json;

/** The shared parts of the document, to which the description of a route adds its own. */
interface Components {
  readonly schemas: Record<string, unknown>;
  readonly problems: Record<string, unknown>;
  readonly toSchema: ToSchema;
}

interface NamedRoute {
  readonly operationId: string;
  readonly contract: RouteContract;
}

function sorted(parts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(parts).sort(([a], [b]) => compareTexts(a, b)));
}

/** Gives an object's schema a name, because generators of clients name types after components. */
function named(name: string, schema: Json, { schemas }: Components): Json {
  if (schema.properties === undefined) return schema;
  schemas[name] = schema;
  return { $ref: `#/components/schemas/${name}` };
}

/** The ways to authenticate, each of which suffices. */
function securityOf(right: RequiredRight): readonly Json[] {
  if (isForEnvironment(right)) return [{ apiKey: [] }, { session: [] }];
  return right === 'none' || right === 'visitor' ? [] : [{ session: [] }];
}

function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function describeRoute({ operationId, contract }: NamedRoute, components: Components): Json {
  const { request } = contract;
  const { toSchema } = components;
  const name = pascalCase(operationId);
  return {
    tags: [contract.tag],
    summary: contract.summary,
    ...(contract.description !== undefined && { description: contract.description }),
    'x-required-right': contract.right,
    ...(contract.installation !== undefined && { 'x-installation': contract.installation }),
    security: securityOf(contract.right),
    parameters: [
      ...describeParameters('path', request.path, toSchema),
      ...describeParameters('query', request.query, toSchema),
      ...describeParameters('header', request.headers, toSchema),
      ...(contract.idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
      ...(isForEnvironment(contract.right)
        ? [{ $ref: '#/components/parameters/EnvironmentId' }]
        : []),
      { $ref: '#/components/parameters/RequestId' },
    ],
    ...(request.body !== undefined && {
      requestBody: describeBody(request.body, { name, components }),
    }),
    responses: {
      ...describeProblems(contract, components),
      ...describeResponses(contract, toSchema),
    },
  };
}

function describeParameters(
  location: 'path' | 'query' | 'header',
  schema: z.ZodObject | undefined,
  toSchema: ToSchema,
): Json[] {
  if (schema === undefined) return [];
  return Object.entries(schema.shape).map(([name, type]) => {
    const { description, ...rest } = withoutNull(toSchema(type as z.ZodType, 'request'));
    return {
      name,
      in: location,
      required: !(type as z.ZodType).safeParse(undefined).success,
      ...(description !== undefined && { description }),
      schema: rest,
    };
  });
}

/** The name from which the schemas of a body get theirs. */
interface NamedBody {
  readonly name: string;
  readonly components: Components;
}

const BODY_SUFFIXES = { 'application/json': 'Request', 'multipart/form-data': 'Form' } as const;

function describeBody(body: BodyContract, { name, components }: NamedBody): Json {
  const limits = Object.entries(body.maxBytes) as [RequestMediaType, number][];
  const { toSchema } = components;
  const content = limits.map(([mediaType]) => {
    const schema = describeMembers(body, { mediaType, toSchema });
    return [mediaType, { schema: named(name + BODY_SUFFIXES[mediaType], schema, components) }];
  });
  const sizes = limits.map(([mediaType, bytes]) => `${sizeOf(bytes)} as ${mediaType}`);
  const hasTextParts = 'multipart/form-data' in body.maxBytes && hasMembers(body.fields);
  return {
    required: !isBodyOptional(body),
    description: [
      `At most ${sizes.join(', ')}.`,
      ...(hasTextParts ? ['A text part of a form must not have a file name.'] : []),
    ].join(' '),
    content: Object.fromEntries(content) as Json,
  };
}

function sizeOf(bytes: number): string {
  return bytes < 1024 ** 2 ? `${bytes / 1024} KiB` : `${bytes / 1024 ** 2} MiB`;
}

function hasMembers({ shape }: z.ZodObject): boolean {
  return Object.keys(shape).length > 0;
}

function describeMembers(
  body: BodyContract,
  { mediaType, toSchema }: { mediaType: RequestMediaType; toSchema: ToSchema },
): Json {
  const isForm = mediaType === 'multipart/form-data';
  const members = isForm ? formMembers(body) : body.fields;
  const choices = body.exactlyOneOf.map((group) => ({
    oneOf: group
      .filter((member) => member in members.shape)
      .map((member) => (isForm ? { required: [member] } : notNull(member))),
  }));
  const schema = toSchema(members, 'request');
  return {
    ...(isForm ? withoutNulls(schema) : allowNulls(members, schema)),
    ...(choices.length > 0 && { allOf: choices }),
  };
}

function formMembers({ files, fields, jsonOnly = [] }: BodyContract): z.ZodObject {
  const texts = Object.entries(fields.shape).filter(([name]) => !jsonOnly.includes(name));
  return files.extend(Object.fromEntries(texts));
}

const NULL = { type: 'null' };

/** Removes null from the values of a parameter or a part of a form, which are texts. */
function withoutNull(schema: Json): Json {
  const { anyOf, ...rest } = schema as Json & { readonly anyOf?: readonly Json[] };
  const [one, ...others] = anyOf?.filter(({ type }) => type !== NULL.type) ?? [];
  return one === undefined || others.length > 0 ? schema : { ...rest, ...one };
}

function withoutNulls({ properties = {}, ...schema }: Json): Json {
  const members = Object.entries(properties as Readonly<Record<string, Json>>);
  const described = members.map(([name, member]) => [name, withoutNull(member)]);
  return { ...schema, properties: Object.fromEntries(described) as Json };
}

function notNull(member: string): Json {
  return { required: [member], properties: { [member]: { not: NULL } } };
}

/** Allows null for each optional member on every level, because `withoutNulls` removes such members from requests. */
function allowNulls(type: z.ZodType, schema: Json): Json {
  if (type instanceof z.ZodOptional) return allowNulls(type.unwrap() as z.ZodType, schema);
  if (type instanceof z.ZodArray && schema.items !== undefined) {
    return { ...schema, items: allowNulls(type.element as z.ZodType, schema.items as Json) };
  }
  if (!(type instanceof z.ZodObject) || schema.properties === undefined) return schema;
  const shape = type.shape as Readonly<Record<string, z.ZodType>>;
  const properties = Object.entries(schema.properties as Readonly<Record<string, Json>>).map(
    ([name, property]) => {
      const member = shape[name]!;
      const inner = allowNulls(member, property);
      return [name, takesNullAsAbsent(member) ? orNull(inner) : inner];
    },
  );
  return { ...schema, properties: Object.fromEntries(properties) as Json };
}

function orNull({ description, ...schema }: Json): Json {
  return { anyOf: [schema, NULL], ...(description !== undefined && { description }) };
}

function describeResponses(contract: RouteContract, toSchema: ToSchema): Json {
  const entries = Object.entries(contract.responses).map(([status, response]) => [
    status,
    {
      description: response.description,
      ...withHeaders({
        ...(contract.idempotent && {
          'Idempotency-Replayed': headerReference('IdempotencyReplayed'),
        }),
        ...(contract.operation !== undefined && {
          'X-Operation-Id': headerReference('OperationId'),
        }),
        ...describeHeaders(response.headers),
      }),
      ...(response.mediaType !== null && {
        content: {
          [response.mediaType]: { schema: toSchema(response.schema, 'response') },
          ...(response.file && {
            [response.file.mediaType]: { schema: toSchema(response.file.schema, 'response') },
          }),
        },
      }),
    },
  ]);
  return Object.fromEntries(entries) as Json;
}

/** Omits an empty list of headers, for which generators of clients make a type. */
function withHeaders(headers: Json): Json {
  return Object.keys(headers).length > 0 ? { headers } : {};
}

function describeHeaders(headers: Readonly<Record<string, string>> = {}): Json {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { description, required: true, schema: { type: 'string' } },
    ]),
  );
}

/** The problems of every endpoint that are no fault of the service. */
const ANY_PROBLEMS: readonly ProblemCode[] = ['headers_too_large'];

/** Endpoints with the same problems for a status share one response. */
function describeProblems(contract: RouteContract, { problems }: Components): Json {
  const codes = [...new Set([...problemsOf(contract), ...ANY_PROBLEMS])].sort(compareTexts);
  const byStatus = Map.groupBy(codes, (code) => PROBLEMS[code].status);
  const entries = [...byStatus].map(([status, ofStatus]) => {
    const name = ofStatus.map(pascalCase).join('Or');
    problems[name] ??= describeProblem(ofStatus);
    return [status, { $ref: `#/components/responses/${name}` }];
  });
  return Object.fromEntries(entries) as Json;
}

function describeProblem(codes: readonly ProblemCode[]): Json {
  const schema = { $ref: '#/components/schemas/Problem' };
  return {
    'x-codes': codes,
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].description}`).join('\n\n'),
    ...withHeaders(describeProblemHeaders(codes.map((code) => PROBLEMS[code]))),
    content: { 'application/problem+json': { schema } },
  };
}

function describeProblemHeaders(definitions: readonly ProblemDefinition[]): Json {
  const passes = ({ retryAfterSeconds }: ProblemDefinition) => retryAfterSeconds !== undefined;
  const retry = definitions.every(passes) ? 'RetryAfter' : 'RetryLater';
  const own = definitions.flatMap(({ headers = {} }) => Object.entries(headers));
  return {
    ...describeHeaders(Object.fromEntries(own)),
    ...(definitions.some(passes) && { 'Retry-After': headerReference(retry) }),
  };
}

/**
 * The JSON schema of a type, whose named types are moved to the components. The schema describes the input side
 * (`io: 'input'`), because the output side would forbid additional members in responses.
 */
function hoistDefinitions(
  schema: z.ZodType,
  { schemas, side }: { readonly schemas: Record<string, unknown>; readonly side: Side },
): Json {
  const text = JSON.stringify(
    z.toJSONSchema(schema, {
      io: 'input',
      target: 'draft-2020-12',
      override: ({ zodSchema, jsonSchema }) => {
        simplify(zodSchema, jsonSchema);
        if (side === 'response') omitSafeRange(jsonSchema);
      },
    }),
  ).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $defs, ...own } = JSON.parse(text) as Json & { $defs?: Json };
  Object.assign(schemas, $defs);
  delete own.$schema;
  return own;
}

/**
 * Changes keywords that zod adds: it removes the encoding of file parts, which are sent as raw bytes; tuples become
 * lists.
 */
function simplify(zodSchema: unknown, jsonSchema: z.core.JSONSchema.BaseSchema): void {
  if (zodSchema instanceof z.ZodFile) delete jsonSchema.contentEncoding;
  if (zodSchema instanceof z.ZodTuple) describeTuple(jsonSchema);
}

/** Omits the safe integer range of JavaScript, which no response reaches. */
function omitSafeRange(jsonSchema: z.core.JSONSchema.BaseSchema): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

/** Describes a tuple of equal types as a list of that length, because generators of clients know no tuples. */
function describeTuple(jsonSchema: z.core.JSONSchema.BaseSchema): void {
  const [first, ...others] = jsonSchema.prefixItems!;
  if (others.some((item) => JSON.stringify(item) !== JSON.stringify(first))) return;
  delete jsonSchema.prefixItems;
  const length = others.length + 1;
  Object.assign(jsonSchema, { items: first, minItems: length, maxItems: length });
}
