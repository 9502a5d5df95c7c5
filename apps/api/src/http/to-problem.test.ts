import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { PROBLEMS } from '@sightline/contracts/problem';
import { DomainError } from '@sightline/core/domain-error';
import { FaceCount } from '@sightline/core/matching/face-count';
import { InferenceOverloaded, NoActiveModel } from '@sightline/core/models/model-errors';
import { HTTP_ERRORS } from '@sightline/platform/http/http-errors';
import { toProblem } from './to-problem.ts';

const CORE = resolve(import.meta.dirname, '../../../../packages/core/src');

/** The codes that the error classes of core declare. */
function codesOfCore(): string[] {
  return globSync('**/*.ts', { cwd: CORE })
    .map((file) => readFileSync(resolve(CORE, file), 'utf8'))
    .flatMap((source) => [...source.matchAll(/\bcode = '(\w+)'/g)].map(([, code]) => code!));
}

describe('the table of error codes', () => {
  test('lists every code of core', () => {
    const codes = codesOfCore();
    expect(codes.length).toBeGreaterThan(8);
    expect(codes.filter((code) => !(code in PROBLEMS))).toEqual([]);
  });

  test('says of the codes of the HTTP kit what the kit says', () => {
    expect(PROBLEMS).toMatchObject(HTTP_ERRORS);
  });

  test('lists no code that nobody uses', () => {
    const used = new Set([...codesOfCore(), ...Object.keys(HTTP_ERRORS)]);
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
    });
  });

  test('says when to come back', () => {
    expect(toProblem(new InferenceOverloaded(2.5))).toMatchObject({
      status: 429,
      headers: { 'Retry-After': '3' },
    });
    expect(toProblem(new NoActiveModel('None.'))).toMatchObject({
      status: 503,
      headers: { 'Retry-After': '30' },
    });
  });

  test('leaves other errors and unlisted codes to the kit', () => {
    class Unlisted extends DomainError {
      readonly code = 'unlisted';
    }
    expect(toProblem(new Error('boom'))).toBeUndefined();
    expect(toProblem(new Unlisted('boom'))).toBeUndefined();
  });
});
