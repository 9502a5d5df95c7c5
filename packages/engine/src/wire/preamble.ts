import { MalformedMessage } from './wire-errors.ts';
import { commonVersion } from './wire-versions.ts';

/** The `Content-Type` of messages. */
export const WIRE_TYPE = 'application/vnd.sightline.inference';

/**
 * The header with the time left for an analysis, in milliseconds. The value is a duration, because
 * the clocks of two machines differ.
 */
export const DEADLINE_HEADER = 'sightline-deadline-ms';

/**
 * The header with the tenant of an analysis, so that a process can reject the tenant before it
 * reads the image. Processes of older releases ignore this header.
 */
export const TENANT_HEADER = 'sightline-tenant';

/**
 * The header with the lane of an analysis; default: interactive. The lane has its own header,
 * because processes of older releases ignore an unknown header but would reject a tenant's header
 * with a lane.
 */
export const LANE_HEADER = 'sightline-lane';

/** `request` asks for an analysis, and `answer` holds its result. */
export type MessageKind = 'request' | 'answer';

/**
 * The bytes of a preamble. A message consists of this preamble, a JSON head, and binary parts whose
 * lengths are in the head. Numbers are little-endian:
 *
 * | bytes | content                                         |
 * | ----- | ----------------------------------------------- |
 * | 0-3   | `SLIM`                                          |
 * | 4-5   | version of the format                           |
 * | 6-7   | kind: 1 request, 2 answer                       |
 * | 8-11  | length of the head in bytes, a multiple of four |
 */
export const PREAMBLE_BYTES = 12;

export const MAX_HEAD_BYTES = 4 * 1024 * 1024;

/** `SLIM` in ASCII, as a little-endian number. */
const MAGIC = 0x4d_49_4c_53;
const KINDS: Readonly<Record<MessageKind, number>> = { request: 1, answer: 2 };
const HEAD_ALIGNMENT = 4;

/**
 * Encodes the preamble and head of a message in one buffer.
 *
 * @throws MalformedMessage if the head is too long
 */
export function encodeHead(kind: MessageKind, head: unknown, version: number): Uint8Array {
  const json = Buffer.from(JSON.stringify(head));
  const length = Math.ceil(json.length / HEAD_ALIGNMENT) * HEAD_ALIGNMENT;
  if (length > MAX_HEAD_BYTES) throw new MalformedMessage('The head of the message is too long.');
  const bytes = new Uint8Array(PREAMBLE_BYTES + length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint16(4, version, true);
  view.setUint16(6, KINDS[kind], true);
  view.setUint32(8, length, true);
  bytes.set(json, PREAMBLE_BYTES);
  // The padding consists of spaces, which JSON allows after a value.
  bytes.fill(0x20, PREAMBLE_BYTES + json.length);
  return bytes;
}

export interface Preamble {
  readonly version: number;
  readonly headLength: number;
}

/**
 * Reads a preamble in one of the versions that this process supports.
 *
 * @throws MalformedMessage; WireVersionMismatch
 */
export function readPreamble(
  bytes: Uint8Array,
  kind: MessageKind,
  spoken: readonly number[],
): Preamble {
  if (bytes.length < PREAMBLE_BYTES) throw new MalformedMessage('The message is truncated.');
  const view = new DataView(bytes.buffer, bytes.byteOffset, PREAMBLE_BYTES);
  if (view.getUint32(0, true) !== MAGIC) {
    throw new MalformedMessage('This is not a message in the inference format.');
  }
  // The version is checked first, because the layout of the rest may differ in another version.
  const version = commonVersion(spoken, [view.getUint16(4, true)]);
  if (view.getUint16(6, true) !== KINDS[kind])
    throw new MalformedMessage(`This is not an inference ${kind}.`);
  const length = view.getUint32(8, true);
  if (length > MAX_HEAD_BYTES) throw new MalformedMessage('The head of the message is too long.');
  if (length % HEAD_ALIGNMENT !== 0)
    throw new MalformedMessage('The length of the head is not a multiple of four.');
  return { version, headLength: length };
}

/** @throws MalformedMessage if the bytes are not JSON */
export function parseHead(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch (cause) {
    throw new MalformedMessage('The head of the message is not JSON.', { cause });
  }
}
