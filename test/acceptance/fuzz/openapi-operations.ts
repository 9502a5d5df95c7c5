import type { JsonSchema, OpenApi, Place, RawOperation } from './openapi-document.ts';
import { createJudge, type Answer } from './judge-answer.ts';

export type Schemas = Readonly<Record<string, JsonSchema>>;

/** The members that a body of one media type accepts. */
export interface BodyMembers {
  readonly members: Schemas;
  readonly required: readonly string[];
  /** Groups of members, of which a body has exactly one each. */
  readonly choices: readonly (readonly string[])[];
}

/** An operation of the document, with everything that is needed to generate requests and to check answers. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** The path, with its parameters in braces. */
  readonly path: string;
  readonly right: RawOperation['x-required-right'];
  readonly parameters: Readonly<Record<Place, Schemas>>;
  /** The bodies by media type. */
  readonly bodies: Readonly<Record<string, BodyMembers>>;
  /** Describes how an answer differs from the document; undefined if it does not. */
  complaint(answer: Answer): string | undefined;
}

export function operationsOf(document: OpenApi): Operation[] {
  const resolve: Resolve = (schema) => {
    const name = schema.$ref?.replace('#/components/schemas/', '');
    if (name !== undefined) return resolve(document.components.schemas[name]!);
    const { items, anyOf, properties, ...rest } = schema;
    return {
      ...rest,
      ...(items && { items: resolve(items) }),
      ...(anyOf && { anyOf: anyOf.map(resolve) }),
      ...(properties && { properties: resolveAll(properties) }),
    };
  };
  const resolveAll = (schemas: Schemas): Schemas =>
    Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, resolve(schema)]));
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      right: operation['x-required-right'],
      parameters: parametersOf(document, operation, resolve),
      bodies: bodiesOf(operation, resolve),
      complaint: createJudge(document, operation),
    })),
  );
}

type Resolve = (schema: JsonSchema) => JsonSchema;

function parametersOf(document: OpenApi, operation: RawOperation, resolve: Resolve) {
  const parameters = (operation.parameters ?? []).map((parameter) =>
    '$ref' in parameter
      ? document.components.parameters[parameter.$ref.replace('#/components/parameters/', '')]!
      : parameter,
  );
  const at = (place: Place): Schemas =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === place)
        .map(({ name, schema }) => [name, resolve(schema)]),
    );
  return { path: at('path'), query: at('query'), header: at('header') };
}

function bodiesOf(operation: RawOperation, resolve: Resolve): Record<string, BodyMembers> {
  const content = Object.entries(operation.requestBody?.content ?? {});
  return Object.fromEntries(
    content.map(([type, { schema }]) => [type, membersOf(resolve(schema), resolve)]),
  );
}

function membersOf(body: JsonSchema, resolve: Resolve): BodyMembers {
  const { properties = {}, required = [], allOf = [] } = body;
  const members = Object.entries(properties).map(([name, member]) => [name, resolve(member)]);
  return {
    members: Object.fromEntries(members) as Record<string, JsonSchema>,
    required,
    choices: allOf.map(({ oneOf = [] }) => oneOf.flatMap((choice) => choice.required ?? [])),
  };
}
