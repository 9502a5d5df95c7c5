import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { PROBLEMS } from '@sightline/contracts/problem';
import { isSignOnError } from '@sightline/contracts/sign-on/sign-on';
import { Unauthenticated } from '@sightline/core/access/access-errors';
import { DomainError } from '@sightline/core/domain-error';
import { FaceCount } from '@sightline/core/matching/face-count';
import { InferenceOverloaded, NoActiveModel } from '@sightline/core/models/model-errors';
import { HTTP_ERRORS } from '@sightline/platform/http/http-errors';
import { toProblem } from './to-problem.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');

/** The codes that the error classes of core and of the API declare. */
function declaredCodes(): string[] {
  return globSync('{packages/core,apps/api}/src/**/*.ts', { cwd: ROOT })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(resolve(ROOT, file), 'utf8'))
    .flatMap((source) => [...source.matchAll(/\bcode = '(\w+)'/g)].map(([, code]) => code!));
}

describe('the table of error codes', () => {
  test('lists every code', () => {
    const codes = declaredCodes();
    expect(codes.length).toBeGreaterThan(20);
    // A refused sign-on sends the browser to a page with the code.
    const isKnown = (code: string) => code in PROBLEMS || isSignOnError(code);
    expect(codes.filter((code) => !isKnown(code))).toEqual([]);
  });

  test('has the texts of the HTTP kit for the codes of the kit', () => {
    expect(PROBLEMS).toMatchObject(HTTP_ERRORS);
  });

  test('lists no unused code', () => {
    const used = new Set([...declaredCodes(), ...Object.keys(HTTP_ERRORS)]);
    expect(Object.keys(PROBLEMS).filter((code) => !used.has(code))).toEqual([]);
  });
});

describe('toProblem', () => {
  test('adds the facts of an error', () => {
    expect(toProblem(new FaceCount('Image 2 has no face.', { faces: 0, image: 2 }))).toEqual({
      status: 422,
      code: 'face_count',
      title: PROBLEMS.face_count.title,
      detail: 'Image 2 has no face.',
      facts: { faces: 0, image: 2 },
      headers: {},
    });
  });

  test('says when to retry', () => {
    expect(toProblem(new InferenceOverloaded(2.5))).toMatchObject({
      status: 429,
      headers: { 'Retry-After': '3' },
    });
    expect(toProblem(new NoActiveModel('None.'))).toMatchObject({
      status: 503,
      headers: { 'Retry-After': '30' },
    });
  });

  test('says how to authenticate', () => {
    const { status, headers } = toProblem(new Unauthenticated())!;
    expect(status).toBe(401);
    expect(headers!['WWW-Authenticate']).toMatch(/^ApiKey realm="/);
  });

  test('leaves other errors and unlisted codes to the kit', () => {
    class Unlisted extends DomainError {
      readonly code = 'unlisted';
    }
    expect(toProblem(new Error('boom'))).toBeUndefined();
    expect(toProblem(new Unlisted('boom'))).toBeUndefined();
  });
});
