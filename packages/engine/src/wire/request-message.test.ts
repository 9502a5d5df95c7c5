import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MAX_HEAD_BYTES, PREAMBLE_BYTES } from './preamble.ts';
import { encodeRequest, RequestReader } from './request-message.ts';
import { requests } from './testing/analyses.ts';
import { MalformedMessage, WireVersionMismatch } from './wire-errors.ts';

function read(message: Uint8Array, lengths: readonly number[] = [message.length || 1]) {
  const reader = new RequestReader(message.length);
  for (let from = 0, i = 0; from < message.length; i++) {
    const length = lengths[i % lengths.length]!;
    reader.push(message.subarray(from, from + length));
    from += length;
  }
  return reader.finish();
}

const IMAGE = Uint8Array.of(9, 8, 7, 6, 5);
const message = () => new Uint8Array(Buffer.concat(encodeRequest({ image: IMAGE })));

test('survives encoding and decoding in chunks of any lengths', () => {
  fc.assert(
    fc.property(
      requests,
      fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1 }),
      (request, lengths) => {
        const received = read(Buffer.concat(encodeRequest(request)), lengths);
        expect(received).toEqual(request);
      },
    ),
  );
});

test('sends the image without copying and reads it into its own buffer', () => {
  expect(encodeRequest({ image: IMAGE })[1]).toBe(IMAGE);
  const { image } = read(message(), [3]);
  expect(image.byteOffset).toBe(0);
  expect(image.buffer.byteLength).toBe(IMAGE.length);
});

test('reads an option that a process of another release does not know', () => {
  const faces = {
    detectionThreshold: 0.5,
    embed: true,
    attributes: true,
    fullFramePass: true,
    upright: true,
  };
  const text = Buffer.concat(encodeRequest({ image: IMAGE, faces })).toString('latin1');
  expect(text).toContain('"upright":true');
  const other = Buffer.from(text.replace('"upright"', '"unknown"'), 'latin1');
  expect(read(other).faces).toEqual({ ...faces, upright: false });
});

describe('refuses', () => {
  test('truncated messages', () => {
    const whole = message();
    for (let length = 0; length < whole.length; length++) {
      const reader = new RequestReader(whole.length);
      reader.push(whole.subarray(0, length));
      expect(() => reader.finish()).toThrow(MalformedMessage);
    }
    // The loop ends before the image, because a message with a truncated image and a matching
    // declared length is valid.
    for (let length = 0; length < whole.length - IMAGE.length; length++) {
      expect(() => read(whole.subarray(0, length))).toThrow(MalformedMessage);
    }
  });

  test('bytes beyond the announced length', () => {
    const reader = new RequestReader(message().length);
    reader.push(message());
    expect(() => reader.push(Uint8Array.of(1))).toThrow(MalformedMessage);
  });

  test('another version and names both', () => {
    const other = message();
    other[4] = 7;
    expect(() => read(other)).toThrow(new WireVersionMismatch([1], [7]));
    expect(() => read(other)).toThrow(/version 1 .* version 7/);
  });

  test.each([
    ['another format', 0, 0x58],
    ['an answer', 6, 2],
    ['an unknown kind', 6, 9],
    ['a head with a length that is not a multiple of four', 8, 13],
  ])('%s', (_, offset, value) => {
    const other = message();
    other[offset] = value;
    expect(() => read(other)).toThrow(MalformedMessage);
  });

  test('a head longer than the message or the limit, before memory is allocated', () => {
    for (const length of [1024, MAX_HEAD_BYTES + 4, 0xff_ff_ff_fc]) {
      const other = message();
      new DataView(other.buffer).setUint32(8, length, true);
      expect(() => read(other)).toThrow(MalformedMessage);
    }
  });

  test.each([
    '[]',
    'null',
    '{"faces":{}}',
    '{"faces":{"detectionThreshold":2,"embed":true,"attributes":true,"fullFramePass":true}}',
    '{"faceRegions":[{"bbox":{"x":1,"y":2,"w":3,"h":null},"landmarks":null}]}',
    '{"objects":{"confidenceThreshold":"0.5","classFilter":[]}}',
    '{"faces"',
    '\u0000\u0000',
  ])('the head %s', (json) => {
    const head = Buffer.from(json.padEnd(Math.ceil(json.length / 4) * 4));
    const preamble = message().slice(0, PREAMBLE_BYTES);
    new DataView(preamble.buffer).setUint32(8, head.length, true);
    expect(() => read(Buffer.concat([preamble, head]))).toThrow(MalformedMessage);
  });

  test('damage anywhere or decodes another valid request, but never fails otherwise', () => {
    fc.assert(
      fc.property(requests, fc.nat(), fc.integer({ min: 0, max: 255 }), (request, at, value) => {
        const damaged = Buffer.concat(encodeRequest(request));
        damaged[at % damaged.length] = value;
        try {
          read(damaged);
        } catch (error) {
          const isForeseen =
            error instanceof MalformedMessage || error instanceof WireVersionMismatch;
          expect(isForeseen).toBe(true);
        }
      }),
    );
  });
});
