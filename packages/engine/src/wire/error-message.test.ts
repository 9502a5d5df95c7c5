import { describe, expect, test } from '@jest/globals';
import {
  AnalysisFailed,
  InferenceOverloaded,
  InferenceUnavailable,
  ModelNotHere,
} from '@sightline/core/models/model-errors';
import {
  ImageCorrupt,
  ImageTooLarge,
  UnsupportedFormat,
} from '@sightline/core/sources/image-errors';
import { FACE_MODEL, OBJECT_MODEL } from '@sightline/core/models/testing/sample-models';
import { decodeError, describeError, describeVersionMismatch } from './error-message.ts';
import { decodeStatus, encodeStatus } from './status-message.ts';
import { MalformedMessage, WireVersionMismatch } from './wire-errors.ts';

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

describe('an error', () => {
  test.each([
    new UnsupportedFormat('No image.'),
    new ImageTooLarge('Too large.', { pixels: 3, max_pixels: 2 }),
    new ImageCorrupt('Damaged.', { format: 'jpeg' }),
    new InferenceOverloaded(7),
    new InferenceUnavailable('A worker ended.', { tries: null }),
    new AnalysisFailed('A worker ended.'),
    new ModelNotHere('Not here.'),
  ])('of the port keeps class, code, message and facts: %s', (error) => {
    const revived = decodeError(bytesOf(describeError(error)));
    expect(revived).toBeInstanceOf(error.constructor);
    expect(describeError(revived)).toEqual(describeError(error));
  });

  test.each(['no_such_code', 'constructor', '__proto__'])(
    'with the unknown code %s means that inference is unavailable',
    (code) => {
      const wireError = { code, detail: 'x', facts: {}, retryAfter: null };
      expect(decodeError(bytesOf(wireError))).toBeInstanceOf(InferenceUnavailable);
    },
  );

  test('for another version names both versions', () => {
    const wireError = describeVersionMismatch(new WireVersionMismatch([2], [1]));
    expect(() => decodeError(bytesOf(wireError))).toThrow(new WireVersionMismatch([1], [2]));
    // This error is from a release that did not send its version.
    expect(decodeError(bytesOf({ ...wireError, facts: {} }))).toBeInstanceOf(InferenceUnavailable);
  });

  test.each([
    null,
    {},
    { code: 'overloaded', detail: 'x', facts: {}, retryAfter: -1 },
    { code: 'overloaded', detail: 'x', facts: { a: {} }, retryAfter: 1 },
    { code: 1, detail: 'x', facts: {}, retryAfter: 1 },
  ])('that is invalid is refused: %j', (wireError) => {
    expect(() => decodeError(bytesOf(wireError))).toThrow(MalformedMessage);
  });
});

describe('a status', () => {
  const STATUS = {
    ready: true,
    provider: 'cpu',
    models: [FACE_MODEL, OBJECT_MODEL],
    report: [],
  } as const;

  const NAMED = { name: 'faces', task: 'face' as const, revision: 'f'.repeat(64) };

  test('survives encoding and decoding', () => {
    expect(decodeStatus(new TextEncoder().encode(encodeStatus(STATUS)))).toEqual(STATUS);
  });

  test('keeps the report of each model and the models that were found', () => {
    const reported = { ...NAMED, deaths: 0, error: null, lastRequestedSecondsAgo: null };
    const failure = { reason: 'PackRefused', message: 'x.onnx is damaged.' };
    const report = [
      { ...reported, state: 'warm' as const, deaths: 2, lastRequestedSecondsAgo: 5 },
      { ...reported, state: 'failed' as const, error: failure },
    ];
    const status = { ...STATUS, report, found: [FACE_MODEL] };
    const text = encodeStatus(status);
    expect(decodeStatus(new TextEncoder().encode(text))).toEqual(status);
  });

  test('keeps an unknown commercial use, and takes one without a reason from an older process', () => {
    const unknown = { ...FACE_MODEL, commercialUse: 'unknown', commercialUseReason: 'x' } as const;
    const status = { ...STATUS, models: [unknown] };
    const text = encodeStatus(status);
    expect(decodeStatus(new TextEncoder().encode(text))).toEqual(status);
    const older = text.replace(',"commercialUseReason":"x"', '').replace('"unknown"', 'false');
    const expected = { ...FACE_MODEL, commercialUse: false, commercialUseReason: null };
    expect(decodeStatus(new TextEncoder().encode(older)).models).toEqual([expected]);
  });

  test('of another version is refused, whatever else it contains', () => {
    expect(() => decodeStatus(bytesOf({ wire: 2, healthy: 'yes' }))).toThrow(
      new WireVersionMismatch([1], [2]),
    );
  });

  test('that is invalid is refused', () => {
    for (const wireError of [null, {}, { wire: 1 }, { ...STATUS, wire: 1, models: [{}] }]) {
      expect(() => decodeStatus(bytesOf(wireError))).toThrow(MalformedMessage);
    }
  });
});
