import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type {
  HeaderDescription,
  JsonSchema,
  OpenApi,
  RawOperation,
  Reference,
  ResponseDescription,
} from './openapi-document.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** Paths of source files, stack traces and messages of databases, which answers must not contain. */
const INTERNALS =
  /node_modules|\.[cm]?[jt]s:\d|^\s+at |\bSQLSTATE\b|\b(relation|column) "|violates/m;

/** Compares the answers of an operation with the document's description of them. */
export function createJudge(document: OpenApi, { responses }: RawOperation) {
  const validate = createValidators(document);
  return (answer: Answer): string | undefined => {
    const { status, headers, body } = answer;
    const described = responses[status];
    if (described === undefined) return `${status} is not in the document`;
    const response = responseOf(document, described);
    const required = Object.entries(response.headers ?? {})
      .filter(([, header]) => resolve(document, header).required)
      .map(([name]) => name);
    const missing = [...required, ...headersOfAll(status)].find((name) => !headers.has(name));
    if (missing !== undefined) return `${missing} is missing`;
    const mediaType = headers.get('content-type')?.split(';')[0];
    if (response.content === undefined) return body.length === 0 ? undefined : 'there is a body';
    const content = response.content[mediaType!];
    if (content === undefined) return `${status} ${mediaType} is not in the document`;
    if (mediaType!.endsWith('json'))
      return complaintAboutJson(text(body), validate(content.schema));
    return body.length === 0 ? 'there is no body' : undefined;
  };
}

/** The headers that the document names once, for all responses. */
function headersOfAll(status: number): readonly string[] {
  return ['X-Request-Id', ...(status === 401 ? ['WWW-Authenticate'] : [])];
}

function responseOf(
  { components }: OpenApi,
  response: Reference | ResponseDescription,
): ResponseDescription {
  if (!('$ref' in response)) return response;
  return components.responses[response.$ref.replace('#/components/responses/', '')]!;
}

function resolve(
  { components }: OpenApi,
  header: Reference | HeaderDescription,
): HeaderDescription {
  if (!('$ref' in header)) return header;
  return components.headers[header.$ref.replace('#/components/headers/', '')]!;
}

function complaintAboutJson(json: string, validate: Validator): string | undefined {
  const value = JSON.parse(json) as { readonly code?: unknown; readonly detail?: string };
  if (value.code !== undefined && INTERNALS.test(value.detail ?? '')) return 'it tells internals';
  return validate(value);
}

/** Returns what is wrong with a value; undefined if it is valid. */
type Validator = (value: unknown) => string | undefined;

/** Compiles each schema at its first use, because most answers use only a few of them. */
function createValidators({ components }: OpenApi): (schema: JsonSchema) => Validator {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  const compiled = new Map<JsonSchema, ValidateFunction>();
  return (schema) => {
    const validate = compiled.get(schema) ?? ajv.compile({ ...schema, components });
    compiled.set(schema, validate);
    return (value) => (validate(value) ? undefined : ajv.errorsText(validate.errors));
  };
}

function text(body: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(body);
}
