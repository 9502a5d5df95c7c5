import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { API_CONTRACTS } from './api-contracts.ts';
import type { RouteContract } from './define-contract.ts';
import { buildOpenApi } from './openapi.ts';
import { takesNullAsAbsent, withoutNulls } from './without-nulls.ts';

const SCHEMA = z.object({
  required: z.string(),
  value: z.int().nullable(),
  note: z.string().optional(),
  kept: z.string().nullish(),
  items: z.array(z.object({ id: z.int(), label: z.string().optional() })).optional(),
  box: z.object({ x: z.number(), angle: z.number().optional() }).optional(),
});

test('drops null where a member may be absent, on every level', () => {
  const items = [
    { id: 1, label: null },
    { id: 2, label: 'a' },
  ];
  expect(
    withoutNulls(SCHEMA, { required: 'r', note: null, items, box: { x: 1, angle: null } }),
  ).toEqual({
    required: 'r',
    items: [{ id: 1 }, { id: 2, label: 'a' }],
    box: { x: 1 },
  });
});

test.each([
  ['a value', { value: null, kept: null }],
  ['a required member', { required: null }],
  ['an unknown member', { unknown: null, ['__proto__x']: null }],
  ['an item', { items: [null] }],
])('keeps null as %s', (_, json) => {
  expect(withoutNulls(SCHEMA, json)).toEqual(json);
});

test.each([null, 7, 'text', []])('leaves %j, which is no object, to the schema', (json) => {
  expect(withoutNulls(SCHEMA, json)).toEqual(json);
});

const { paths, components } = await buildOpenApi(API_CONTRACTS, '1.0.0');

describe('every endpoint that takes JSON', () => {
  const contracts: [string, RouteContract][] = Object.entries(API_CONTRACTS);
  const withJson = contracts.filter(
    ([, { request }]) => request.body?.maxBytes['application/json'] !== undefined,
  );

  test.each(withJson)(
    '%s accepts null for its optional members, and documents it',
    (_, contract) => {
      const { body } = contract.request;
      const optional = Object.entries(body!.fields.shape as Record<string, z.ZodType>)
        .filter(([, member]) => takesNullAsAbsent(member))
        .map(([name]) => name);
      const nulls = Object.fromEntries(optional.map((name) => [name, null]));
      expect(withoutNulls(body!.fields, nulls)).toEqual({});
      const operation = paths[contract.path]![contract.method.toLowerCase()] as Operation;
      const { $ref } = operation.requestBody.content['application/json'].schema;
      const { properties } = components.schemas[$ref.split('/').at(-1)!] as BodySchema;
      for (const name of optional) {
        expect({
          name,
          takesNull: properties[name]!.anyOf?.some(({ type }) => type === 'null'),
        }).toEqual({ name, takesNull: true });
      }
    },
  );
});

interface Operation {
  readonly requestBody: {
    readonly content: {
      readonly 'application/json': {
        readonly schema: { readonly $ref: string };
      };
    };
  };
}

interface BodySchema {
  readonly properties: Readonly<
    Record<string, { readonly anyOf?: readonly { readonly type?: string }[] }>
  >;
}
