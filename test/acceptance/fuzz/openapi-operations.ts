import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: JsonSchema;
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

interface RawOperation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

/** One operation of the document, with what a request is made from and an answer is held against. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, JsonSchema>>;
  readonly bodies: Readonly<Record<string, JsonSchema>>;
  /** Says what is wrong with an answer; undefined if it is as the document promises. */
  complaint(answer: Answer): string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

export function operationsOf(document: OpenApi): Operation[] {
  const resolve = (schema: JsonSchema): JsonSchema => {
    const name = schema.$ref?.replace('#/components/schemas/', '');
    return name === undefined ? schema : resolve(document.components.schemas[name]!);
  };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      query: queryOf(operation, resolve),
      bodies: bodiesOf(operation, resolve),
      complaint: judge(document, operation),
    })),
  );
}

type Resolve = (schema: JsonSchema) => JsonSchema;

function queryOf(operation: RawOperation, resolve: Resolve): Record<string, JsonSchema> {
  const inQuery = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  return Object.fromEntries(inQuery.map(({ name, schema }) => [name, resolve(schema)]));
}

function bodiesOf(operation: RawOperation, resolve: Resolve): Record<string, JsonSchema> {
  const content = Object.entries(operation.requestBody?.content ?? {});
  return Object.fromEntries(
    content.map(([type, { schema }]) => [type, resolveMembers(schema, resolve)]),
  );
}

function resolveMembers(schema: JsonSchema, resolve: Resolve): JsonSchema {
  const { properties = {}, ...rest } = resolve(schema);
  const members = Object.entries(properties).map(([name, member]) => [name, resolve(member)]);
  return { ...rest, properties: Object.fromEntries(members) as Record<string, JsonSchema> };
}

function judge(document: OpenApi, operation: RawOperation): Operation['complaint'] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  const validators = new Map<string, ValidateFunction>();
  for (const [status, { content = {} }] of Object.entries(operation.responses)) {
    for (const [mediaType, { schema }] of Object.entries(content)) {
      const whole = { ...schema, components: document.components };
      validators.set(`${status} ${mediaType}`, ajv.compile(whole));
    }
  }
  return ({ status, contentType, body }) => {
    const mediaType = contentType.split(';')[0]!;
    const validate = validators.get(`${status} ${mediaType}`);
    if (validate === undefined) return `${status} ${mediaType} is not in the document`;
    if (!mediaType.endsWith('json')) return undefined;
    return validate(JSON.parse(body)) ? undefined : ajv.errorsText(validate.errors);
  };
}
