import { expect, test } from '@jest/globals';
import type { ImageAnalysis } from '@sightline/core/analysis/image-analyzer';
import { analyzedFace } from '@sightline/core/analysis/testing/fake-analyzer';
import { FACE_MODEL } from '@sightline/core/models/testing/sample-models';
import fc from 'fast-check';
import { decodeAnswer, encodeAnswer } from './answer-message.ts';
import { analyses } from './testing/analyses.ts';
import { MalformedMessage, WireVersionMismatch } from './wire-errors.ts';

const joined = (analysis: ImageAnalysis) => new Uint8Array(Buffer.concat(encodeAnswer(analysis)));

const ANSWER: ImageAnalysis = {
  image: { format: 'jpeg', width: 20, height: 10, takenAt: new Date('2024-05-06T07:08:09Z') },
  faces: {
    model: FACE_MODEL,
    items: [analyzedFace({ crop: { jpeg: Uint8Array.of(1, 2, 3), width: 1, height: 1 } })],
  },
  faceRegions: null,
  objects: null,
  source: { jpeg: Uint8Array.of(4, 5, 6, 7), width: 2, height: 1 },
  boxCrops: [{ jpeg: Uint8Array.of(8, 9), width: 1, height: 2 }],
};

test('survives encoding and decoding, to the last bit of an embedding', () => {
  fc.assert(
    fc.property(analyses, (analysis) => {
      const decoded = decodeAnswer(joined(analysis));
      expect(decoded).toEqual(analysis);
      const bits = ({ faces }: ImageAnalysis) =>
        faces?.items.map(({ embedding }) => embedding && new Uint32Array(embedding.slice().buffer));
      expect(bits(decoded)).toEqual(bits(analysis));
    }),
  );
});

test('encodes embeddings at any buffer offset and decodes them into their own memory', () => {
  const embedding = new Float32Array(new ArrayBuffer(16), 4, 2);
  embedding.set([0.6, -0.8]);
  const faces = { model: FACE_MODEL, items: [analyzedFace({ embedding })] };
  // The test also shifts the message, so that the offset of the message itself is not aligned.
  const message = joined({ ...ANSWER, faces });
  const shifted = new Uint8Array(message.length + 1).subarray(1);
  shifted.set(message);
  const received = decodeAnswer(shifted).faces!.items[0]!.embedding!;
  expect(received).toEqual(embedding);
  expect(received.buffer.byteLength).toBe(8);
});

test('reads a face from a process of an older release, which does not know the angles of faces', () => {
  const faces = { model: FACE_MODEL, items: [analyzedFace({ turned: 90 })] };
  const text = Buffer.from(joined({ ...ANSWER, faces })).toString('latin1');
  expect(text).toContain('"turned":90');
  const older = Buffer.from(text.replace('"turned"', '"future"'), 'latin1');
  expect(decodeAnswer(new Uint8Array(older)).faces!.items[0]).toMatchObject({ turned: 0 });
});

test('does not copy JPEGs when encoding or decoding', () => {
  const chunks = encodeAnswer(ANSWER);
  expect(chunks).toContain(ANSWER.source!.jpeg);
  const message = joined(ANSWER);
  expect(decodeAnswer(message).source!.jpeg.buffer).toBe(message.buffer);
});

test('refuses truncated and overlong messages', () => {
  const whole = joined(ANSWER);
  for (let length = 0; length < whole.length; length++) {
    expect(() => decodeAnswer(whole.subarray(0, length))).toThrow(MalformedMessage);
  }
  expect(() => decodeAnswer(Buffer.concat([whole, Buffer.of(0)]))).toThrow(MalformedMessage);
});

test('refuses another version and names both', () => {
  const other = joined(ANSWER);
  other[5] = 1;
  expect(() => decodeAnswer(other)).toThrow(new WireVersionMismatch([1], [257]));
});

test('refuses damage anywhere or decodes another valid answer, but never fails otherwise', () => {
  fc.assert(
    fc.property(analyses, fc.nat(), fc.integer({ min: 0, max: 255 }), (analysis, at, value) => {
      const damaged = joined(analysis);
      damaged[at % damaged.length] = value;
      try {
        decodeAnswer(damaged);
      } catch (error) {
        const isForeseen =
          error instanceof MalformedMessage || error instanceof WireVersionMismatch;
        expect(isForeseen).toBe(true);
      }
    }),
  );
});
