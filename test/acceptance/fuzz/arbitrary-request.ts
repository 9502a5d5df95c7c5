import fc from 'fast-check';
import { hostileValue, validValue, type Material, type Value } from './arbitrary-value.ts';
import { type Body, type Caller, type FuzzRequest, type Members, toQuery } from './fuzz-request.ts';
import { hostileBody, hostileHeader, hostilePathPart } from './hostile-values.ts';
import { idNameOf } from './known-values.ts';
import type { BodyMembers, Operation, Schemas } from './openapi-operations.ts';

/**
 * The most characters of a request's path and query. With the headers they stay below the limit of a
 * request's head, because a longer head is refused before it is read.
 */
const LONGEST_TARGET = 12_000;

/** The callers of right requests, and of all. */
export interface Callers {
  readonly right: fc.Arbitrary<Caller>;
  readonly any: fc.Arbitrary<Caller>;
}

/** A request for the operation. Half of the requests are right; the others are slightly wrong, or hostile. */
export function arbitraryRequest(
  operation: Operation,
  material: Material,
  callers = CALLERS,
): fc.Arbitrary<FuzzRequest> {
  const right = rightRequest(operation, material, callers);
  return fc.oneof(right, anyRequest(operation, material, callers));
}

/** A request that is valid according to the OpenAPI document, so it usually succeeds. */
export function rightRequest(
  operation: Operation,
  material: Material,
  callers = CALLERS,
): fc.Arbitrary<FuzzRequest> {
  const { query } = operation.parameters;
  const bodies = Object.entries(operation.bodies).map(([mediaType, body]) =>
    rightMembers(body, material).map((members) => ofMediaType(mediaType, members)),
  );
  return toRequest({
    caller: callers.right,
    path: fc
      .tuple(
        material.known.drawAddress(operation.path),
        fillPath(operation, knownParts(operation, material)),
      )
      .map(([address, filled]) => address ?? filled),
    query: rightMembers({ members: query, required: [], choices: [] }, material),
    headers: arbitraryHeaders(operation, material, { hostile: 0 }),
    body: bodies.length === 0 ? fc.constant({ kind: 'none' }) : fc.oneof(...bodies),
  });
}

function anyRequest(
  operation: Operation,
  material: Material,
  callers: Callers,
): fc.Arbitrary<FuzzRequest> {
  const known = knownParts(operation, material);
  const parts = Object.entries(known).map(([name, part]) => [
    name,
    fc.oneof({ weight: 3, arbitrary: part }, { weight: 2, arbitrary: hostilePathPart }),
  ]);
  return toRequest({
    caller: callers.any,
    path: fillPath(operation, Object.fromEntries(parts) as Record<string, PathPart>),
    query: anyMembers(operation.parameters.query, material),
    headers: arbitraryHeaders(operation, material, { hostile: 2 }),
    body: anyBody(operation, material),
  });
}

/** The callers of operations in an environment. */
const CALLERS: Callers = {
  right: fc.constant('admin'),
  any: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom<Caller>('admin', 'full', 'session') },
    { weight: 2, arbitrary: fc.constant<Caller>('read') },
    { weight: 1, arbitrary: fc.constant<Caller>(null) },
    { weight: 1, arbitrary: hostileHeader.map((key) => ({ key })) },
  ),
};

interface RequestParts {
  readonly caller: fc.Arbitrary<Caller>;
  readonly path: fc.Arbitrary<string>;
  readonly query: fc.Arbitrary<Members>;
  readonly headers: fc.Arbitrary<Readonly<Record<string, string>>>;
  readonly body: fc.Arbitrary<Body>;
}

function toRequest(parts: RequestParts): fc.Arbitrary<FuzzRequest> {
  return fc
    .record(parts)
    .map(({ path, query, ...rest }) => ({ target: path + toQuery(query), ...rest }))
    .filter(({ target }) => target.length <= LONGEST_TARGET)
    .map((request) => ({
      ...request,
      [fc.toStringMethod]: () => JSON.stringify(request, shorten),
    }));
}

function shorten(_name: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  return typeof value === 'string' && value.length > 300 ? `${value.slice(0, 300)}…` : value;
}

type PathPart = fc.Arbitrary<string | undefined>;

/** Values for the path's parameters from earlier answers; undefined if there are none. */
function knownParts(operation: Operation, { known }: Material): Record<string, PathPart> {
  const names = Object.keys(operation.parameters.path);
  const parts = names.map((name) => [
    name,
    known
      .draw(name === 'id' ? idNameOf(operation.path) : name)
      .map((value) => (value === undefined ? undefined : encodeURIComponent(value))),
  ]);
  return Object.fromEntries(parts) as Record<string, PathPart>;
}

function fillPath({ path }: Operation, parts: Record<string, PathPart>): fc.Arbitrary<string> {
  return fc
    .record(parts)
    .map((values) => path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '4711'));
}

/** Values that the schema accepts, with exactly one member of each choice. */
function rightMembers(
  { members, required, choices }: BodyMembers,
  material: Material,
): fc.Arbitrary<Members> {
  const entries = Object.entries(members).map(([name, schema]) => {
    const valid = validValue(name, schema, material);
    const isOptional = !required.includes(name) && !choices.flat().includes(name);
    return [name, isOptional ? fc.option(valid, { nil: undefined, freq: 2 }) : valid];
  });
  const chosen = fc.tuple(...choices.map((group) => fc.constantFrom(...group)));
  const all = fc.record(Object.fromEntries(entries) as Record<string, fc.Arbitrary<Value>>);
  return fc.tuple(all, chosen).map(([values, kept]) => {
    const isKept = (name: string) =>
      choices.every((group) => !group.includes(name)) || kept.includes(name);
    return Object.fromEntries(Object.entries(values).filter(([name]) => isKept(name)));
  });
}

/** Members that are each absent, valid or hostile. */
function anyMembers(schemas: Schemas, material: Material): fc.Arbitrary<Members> {
  const members = Object.entries(schemas).map(([name, schema]) => [
    name,
    fc.oneof(
      { weight: 5, arbitrary: fc.constant(undefined) },
      { weight: 4, arbitrary: validValue(name, schema, material) },
      { weight: 2, arbitrary: hostileValue(name, schema, material) },
    ),
  ]);
  return fc.record(Object.fromEntries(members) as Record<string, fc.Arbitrary<Value>>);
}

/** A value that the service understands in this header, such as a byte range or a known ETag. */
function headerValue(name: string, { known }: Material): fc.Arbitrary<string> {
  const etag = known.draw('hash').map((hash) => `"${hash}"`);
  switch (name.toLowerCase()) {
    case 'idempotency-key':
      return fc.oneof(fc.uuid(), fc.constantFrom('again', 'and-again'));
    case 'range':
      return fc.constantFrom(
        'bytes=0-9',
        'bytes=7-',
        'bytes=-5',
        'bytes=0-1,4-5',
        'bytes=99999999-',
      );
    case 'if-none-match':
    case 'if-range':
      return fc.oneof(etag, fc.constant('*'));
    default:
      return fc.uuid();
  }
}

function arbitraryHeaders(
  operation: Operation,
  material: Material,
  weights: { readonly hostile: number },
): fc.Arbitrary<Record<string, string>> {
  const names = Object.keys(operation.parameters.header);
  const headers = names.map((name) => [
    name,
    fc.oneof(
      { weight: 8, arbitrary: fc.constant(undefined) },
      { weight: 3, arbitrary: headerValue(name, material) },
      { weight: weights.hostile, arbitrary: hostileHeader },
    ),
  ]);
  return fc
    .record(Object.fromEntries(headers) as Record<string, fc.Arbitrary<string | undefined>>)
    .map((values) =>
      Object.fromEntries(
        Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
      ),
    );
}

function anyBody(operation: Operation, material: Material): fc.Arbitrary<Body> {
  const none = fc.constant<Body>({ kind: 'none' });
  const bodies = Object.entries(operation.bodies).map(([mediaType, { members }]) =>
    anyMembers(members, material).map((values) => ofMediaType(mediaType, values)),
  );
  if (bodies.length === 0) return none;
  const bytes = hostileBody(material.images).map((body): Body => ({ kind: 'bytes', ...body }));
  return fc.oneof(
    { weight: 1, arbitrary: none },
    { weight: 2, arbitrary: bytes },
    { weight: 12, arbitrary: fc.oneof(...bodies) },
  );
}

function ofMediaType(mediaType: string, members: Members): Body {
  return { kind: mediaType === 'application/json' ? 'json' : 'form', members };
}
