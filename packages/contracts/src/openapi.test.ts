import { describe, expect, test } from '@jest/globals';
import { API_CONTRACTS } from './api-contracts.ts';
import { isForEnvironment, type RequiredRight, type RouteContract } from './define-contract.ts';
import { buildOpenApi } from './openapi.ts';
import { PROBLEMS } from './problem.ts';
import { problemsOf } from './problems-of.ts';
import { TAGS } from './tags.ts';

const document = await buildOpenApi(API_CONTRACTS, '1.2.3');
const contracts: [string, RouteContract][] = Object.entries(API_CONTRACTS);

interface DescribedOperation {
  requestBody: { required: boolean; content: Record<string, { schema: BodySchema }> };
  parameters: { $ref?: string }[];
  security: object[];
  responses: Record<string, { headers?: object; content?: object }>;
}

interface Tagged {
  tags: string[];
}

interface BodySchema {
  properties: Record<string, object>;
  allOf: { oneOf: object[] }[];
}

function isForFullKeys(right: RequiredRight): boolean {
  return isForEnvironment(right) && right !== 'read';
}

/** An operation, with the shared responses and the named bodies in the places of their references. */
function operation(path: string, method: string): DescribedOperation {
  const described = document.paths[path]![method] as DescribedOperation;
  const { responses } = described;
  const requestBody = described.requestBody as DescribedOperation['requestBody'] | undefined;
  return {
    ...described,
    responses: mapValues(responses, resolved),
    ...(requestBody && {
      requestBody: {
        ...requestBody,
        content: mapValues(requestBody.content, ({ schema }) => ({ schema: resolved(schema) })),
      },
    }),
  };
}

function resolved<T extends object>(part: T): T {
  return '$ref' in part ? (resolveReference(String(part.$ref)) as T) : part;
}

function mapValues<T>(record: Readonly<Record<string, T>>, map: (value: T) => T) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

function references(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(references);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === '$ref' ? [String(member)] : references(member),
  );
}

function resolveReference(reference: string): unknown {
  const [root, ...steps] = reference.split('/');
  if (root !== '#') return undefined;
  return steps.reduce<unknown>(
    (value, step) => (value as Record<string, unknown> | undefined)?.[step],
    document,
  );
}

describe('the OpenAPI document', () => {
  test('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  test('has references, and all of them resolve', () => {
    const all = references(document);
    expect(all.length).toBeGreaterThan(20);
    expect(all.filter((reference) => resolveReference(reference) === undefined)).toEqual([]);
  });

  test('lists tags in reading order, and paths by tag, then by name', () => {
    const tagOf = (path: string) => (Object.values(document.paths[path]!)[0] as Tagged).tags[0]!;
    const paths = Object.keys(document.paths);
    const groups = [...Map.groupBy(paths, tagOf)];
    expect(groups.map(([tag]) => tag)).toEqual(Object.keys(TAGS));
    expect(groups.flatMap(([, grouped]) => grouped.toSorted())).toEqual(paths);
    expect(document.tags).toEqual(
      Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    );
    expect(Object.keys(document.paths['/api/identities']!)).toEqual(['get', 'post', 'delete']);
  });

  test('contains no keyword that is specific to zod', () => {
    expect(JSON.stringify(document)).not.toMatch(/\$defs|\$schema/);
    expect(JSON.stringify(document.components.schemas.Detection)).not.toContain('9007199254740991');
  });

  test.each(contracts)('describes %s', (operationId, contract) => {
    const described = operation(contract.path, contract.method.toLowerCase());
    expect(described).toMatchObject({
      operationId,
      summary: contract.summary,
      'x-required-right': contract.right,
    });
    const { installation } = contract;
    expect(described).toMatchObject(installation ? { 'x-installation': installation } : {});
    const { in: location, name } = installation ?? { in: 'query', name: null };
    if (name !== null)
      expect(described.parameters).toContainEqual(expect.objectContaining({ in: location, name }));
    const statuses = [
      ...Object.keys(contract.responses),
      ...problemsOf(contract).map((code) => String(PROBLEMS[code].status)),
      '431',
    ];
    expect(Object.keys(described.responses).sort()).toEqual([...new Set(statuses)].sort());
  });

  test.each(contracts)(
    'names the key that %s needs, and the response without it',
    (_, contract) => {
      const { security, responses } = operation(contract.path, contract.method.toLowerCase());
      const takesKey = isForEnvironment(contract.right);
      const needsSession = ['signed-in', 'account', 'administrator'].includes(contract.right);
      expect(security).toEqual([
        ...(takesKey ? [{ apiKey: [] }] : []),
        ...(takesKey || needsSession ? [{ session: [] }] : []),
      ]);
      if (takesKey || needsSession) expect(responses).toHaveProperty('401');
      if (isForFullKeys(contract.right)) expect(responses).toHaveProperty('403');
    },
  );

  test('has an idempotency key for every POST that stores', () => {
    const idempotent = contracts.filter(([, contract]) => contract.idempotent);
    const storing = contracts.filter(
      ([, { method, right }]) => method === 'POST' && isForFullKeys(right),
    );
    expect(idempotent.map(([id]) => id)).toEqual(storing.map(([id]) => id));
    for (const [, contract] of idempotent) {
      const { parameters, responses } = operation(contract.path, 'post');
      expect(parameters).toContainEqual({ $ref: '#/components/parameters/IdempotencyKey' });
      expect(responses).toHaveProperty('409');
    }
  });

  test('requires a key with full rights for no GET except those of webhooks', () => {
    // The tests of the API call every endpoint that a read-only key may call, and check that the stored data stays
    // the same.
    const methodsOf = (right: RequiredRight) =>
      contracts.flatMap(([, contract]) =>
        contract.right === right && contract.tag !== 'Webhooks' ? [contract.method] : [],
      );
    expect(new Set(methodsOf('read'))).toEqual(new Set(['GET', 'POST']));
    expect(methodsOf('full')).not.toContain('GET');
  });

  test('needs a key for every endpoint with parameters', () => {
    // The identity provider sends browsers to the callback, with its answer.
    const isOpen = ([name, { right }]: (typeof contracts)[number]) =>
      right === 'none' && name !== 'finishSignOn';
    for (const [, { method, request }] of contracts.filter(isOpen)) {
      const { headers, ...parameters } = request;
      expect({ method, parameters }).toEqual({ method: 'GET', parameters: {} });
      expect(Object.keys(headers?.shape ?? {})).not.toContain('x-api-key');
    }
  });

  test('takes short bodies alone from callers whose session or password is not known yet', () => {
    const bodies = contracts.flatMap(([, { tag, request }]) =>
      tag === 'Accounts' && request.body !== undefined ? [request.body.maxBytes] : [],
    );
    expect(bodies.length).toBeGreaterThan(10);
    expect(new Set(bodies.map((each) => JSON.stringify(each)))).toEqual(
      new Set(['{"application/json":16384}']),
    );
    const { requestBody } = operation('/api/auth/sign-in/email', 'post');
    expect(requestBody).toMatchObject({ description: 'At most 16 KiB as application/json.' });
  });

  test('describes answers without a body', () => {
    const { responses } = operation('/api/identities/{id}', 'delete');
    expect(responses['204']).not.toHaveProperty('content');
  });

  test('describes a parameter that may be repeated as a list', () => {
    const { parameters } = operation('/api/images/ids', 'get');
    expect(parameters[0]).toMatchObject({
      name: 'identity_id',
      required: false,
      schema: { type: 'array', items: { type: 'integer' } },
    });
  });

  test('describes the headers of stored files, and what every endpoint can answer', () => {
    const { responses } = operation('/media/crops/{id}/{hash}.jpg', 'get');
    const headersOf = (status: number) => Object.keys(responses[status]!.headers!);
    expect(headersOf(200)).toEqual(expect.arrayContaining(['ETag', 'Accept-Ranges']));
    expect(headersOf(206)).toEqual(expect.arrayContaining(['ETag', 'Content-Range']));
    expect(headersOf(304)).toContain('ETag');
    expect(headersOf(416)).toContain('Content-Range');
    expect(document.info).toMatchObject({
      description: expect.stringMatching(/405 .*500 /s),
    });
  });

  test('describes files as bytes, and the headers that choose a part of them', () => {
    const { parameters, responses } = operation('/media/crops/{id}/{hash}.jpg', 'get');
    expect(responses['200']!.content).toEqual({
      'image/jpeg': { schema: { type: 'string', format: 'binary' } },
    });
    expect(parameters).toContainEqual(expect.objectContaining({ name: 'range', in: 'header' }));
  });

  test('accepts an image as a file, a URL or base64, but only one', () => {
    const { content } = operation('/api/test', 'post').requestBody;
    const { schema } = content['multipart/form-data']!;
    expect(schema.properties.file).toEqual({
      type: 'string',
      format: 'binary',
      description: expect.any(String),
    });
    expect(schema.allOf).toEqual([
      {
        oneOf: [
          { required: ['file'] },
          { required: ['image_url'] },
          { required: ['image_base64'] },
        ],
      },
    ]);
    const json = content['application/json']!.schema;
    expect(json.properties).not.toHaveProperty('file');
    expect(json.allOf[0]!.oneOf).toHaveLength(2);
  });

  test('requires one source of each image to verify', () => {
    const { content } = operation('/api/verify', 'post').requestBody;
    expect(content['application/json']!.schema.allOf).toHaveLength(2);
  });

  test('describes numbers that may be text as numbers', () => {
    const [threshold] = operation('/api/verify', 'post').parameters;
    expect(threshold).toMatchObject({
      name: 'threshold',
      in: 'query',
      required: false,
      schema: { type: 'number', minimum: -1, maximum: 1 },
    });
  });

  test('has Retry-After for every problem with a retry time', () => {
    const { responses } = operation('/api/test', 'post');
    expect(responses['429']!.headers).toHaveProperty('Retry-After');
    expect(responses['503']!.headers).toHaveProperty('Retry-After');
    expect(responses['400']).not.toHaveProperty('headers');
  });

  test('names the headers of every response once, for which generators would make many types', () => {
    expect(document.info).toMatchObject({
      description: expect.stringMatching(/X-Request-Id.*WWW-Authenticate/s),
    });
    const named = contracts.flatMap(([, { path, method }]) =>
      Object.values(operation(path, method.toLowerCase()).responses).flatMap(({ headers = {} }) =>
        Object.keys(headers),
      ),
    );
    expect(named).toContain('Retry-After');
    expect(named).not.toContain('X-Request-Id');
  });

  test('has a response for each set of problems, and a name for each body', () => {
    const { responses, schemas } = document.components;
    expect(responses).toHaveProperty('Unauthenticated');
    expect(Object.keys(responses).length).toBeLessThan(contracts.length);
    for (const response of Object.values(responses)) {
      expect(response).toMatchObject({
        content: {
          'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
        },
      });
    }
    expect(schemas).toHaveProperty('CreateIdentityRequest');
    expect(schemas).toHaveProperty('Identities');
  });

  test('needs a body only where a request without one is refused', () => {
    const isNeeded = (path: string, method: string) => operation(path, method).requestBody.required;
    expect(isNeeded('/api/models/{id}/activate', 'put')).toBe(false);
    expect(isNeeded('/api/export', 'post')).toBe(false);
    expect(isNeeded('/api/identities', 'post')).toBe(true);
    expect(isNeeded('/api/test', 'post')).toBe(true);
    expect(isNeeded('/api/test/batch', 'post')).toBe(true);
  });

  test('has no list without a schema of its items, which generators of clients need', () => {
    expect(JSON.stringify(document)).not.toMatch(/prefixItems|"items":(?:false|true)/);
    expect(document.components.schemas.Detection).toMatchObject({
      properties: {
        pose: {
          anyOf: [{ items: { type: 'number' }, minItems: 3, maxItems: 3 }, { type: 'null' }],
        },
      },
    });
  });

  test('has the lengths of texts as they are stored', () => {
    const { schema } = operation('/api/webhooks', 'post').requestBody.content['application/json']!;
    expect(JSON.stringify(schema.properties.secret)).toContain('"minLength":1,"maxLength":256');
    const [q] = operation('/api/search', 'get').parameters;
    expect(q).toMatchObject({ schema: { minLength: 1, maxLength: 200 } });
  });

  test('has the range of integers, the form of addresses and the members that an action needs', () => {
    const schemaOf = (path: string) =>
      operation(path, 'post').requestBody.content['application/json']!.schema;
    expect(operation('/api/detections/{id}', 'get').parameters).toContainEqual(
      expect.objectContaining({
        name: 'id',
        schema: {
          type: 'integer',
          minimum: Number.MIN_SAFE_INTEGER,
          maximum: Number.MAX_SAFE_INTEGER,
        },
      }),
    );
    for (const address of [
      schemaOf('/api/webhooks').properties.url,
      schemaOf('/api/test').properties.image_url,
    ]) {
      expect(JSON.stringify(address)).toContain('[Hh][Tt][Tt][Pp][Ss]?://');
    }
    expect(JSON.stringify(schemaOf('/api/test').properties.image_base64)).toContain(
      '"minLength":1',
    );
    expect(schemaOf('/api/review/bulk')).toMatchObject({
      if: { properties: { action: { enum: ['confirm', 'reassign'] } } },
      then: { required: ['identity_id'] },
    });
  });

  test('has a pattern of labels that accepts what the service accepts', () => {
    const { schema } = operation('/api/identities', 'post').requestBody.content[
      'application/json'
    ]!;
    const { pattern } = schema.properties.label as { pattern: string };
    const form = new RegExp(pattern, 'u');
    const hidden =
      /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\u2800\ufff9-\ufffb]/u;
    const characters = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code));
    expect(
      characters.filter((character) => form.test(character) === hidden.test(character)),
    ).toEqual([]);
    expect(['Ada\u200d', '\u2066Ada\u2069'].map((label) => form.test(label))).toEqual([true, true]);
    expect(['Ada\u0007', ' \u200b '].map((label) => form.test(label))).toEqual([false, false]);
  });

  test('has no null in forms and parameters, which are texts', () => {
    const { schema } = operation('/api/detect/all', 'post').requestBody.content[
      'multipart/form-data'
    ]!;
    expect(schema.properties.external_ref).toMatchObject({ type: 'string', maxLength: 1000 });
    const parameters = operation('/api/images', 'get').parameters;
    expect(parameters).toContainEqual(
      expect.objectContaining({
        name: 'external_ref',
        schema: expect.objectContaining({ type: 'string' }),
      }),
    );
  });

  test('allows additional members in responses', () => {
    const { schemas } = document.components;
    const closed = Object.values(schemas).filter(
      (schema) => (schema as Record<string, unknown>).additionalProperties === false,
    );
    expect(closed).toEqual([]);
  });
});
