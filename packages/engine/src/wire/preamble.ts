import { MalformedMessage, WireVersionMismatch } from './wire-errors.ts';

/** Raised with every change that the other side would misunderstand. */
export const WIRE_VERSION = 1;

/** As the header `Content-Type` names a message. */
export const WIRE_TYPE = 'application/vnd.sightline.inference';

/** Time that is left for an analysis, in milliseconds: clocks of two machines differ, spans do not. */
export const DEADLINE_HEADER = 'sightline-deadline-ms';

/** `request` asks for an analysis, `answer` holds one. */
export type MessageKind = 'request' | 'answer';

/**
 * A message is this preamble, a head in JSON, and binary parts one after the other, whose lengths
 * the head tells. Numbers are little-endian:
 *
 * | bytes | what                                            |
 * | ----- | ----------------------------------------------- |
 * | 0-3   | `SLIM`                                          |
 * | 4-5   | version of the format                           |
 * | 6-7   | kind: 1 a request, 2 an answer                  |
 * | 8-11  | length of the head in bytes, a multiple of four |
 */
export const PREAMBLE_BYTES = 12;

/** Of the head of any message. */
export const MAX_HEAD_BYTES = 4 * 1024 * 1024;

/** `SLIM` in ASCII. */
const MAGIC = 0x4d_49_4c_53;
const KINDS: Readonly<Record<MessageKind, number>> = { request: 1, answer: 2 };
const HEAD_ALIGNMENT = 4;

/**
 * Preamble and head of a message in one buffer.
 *
 * @throws MalformedMessage if the head is longer than may be
 */
export function encodeHead(kind: MessageKind, head: unknown): Uint8Array {
  const json = Buffer.from(JSON.stringify(head));
  const length = Math.ceil(json.length / HEAD_ALIGNMENT) * HEAD_ALIGNMENT;
  if (length > MAX_HEAD_BYTES) throw new MalformedMessage('The head of the message is too long.');
  const bytes = new Uint8Array(PREAMBLE_BYTES + length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint16(4, WIRE_VERSION, true);
  view.setUint16(6, KINDS[kind], true);
  view.setUint32(8, length, true);
  bytes.set(json, PREAMBLE_BYTES);
  // Spaces, which JSON allows after a value.
  bytes.fill(0x20, PREAMBLE_BYTES + json.length);
  return bytes;
}

/**
 * The length of the head.
 *
 * @throws MalformedMessage; WireVersionMismatch
 */
export function readPreamble(bytes: Uint8Array, kind: MessageKind): number {
  if (bytes.length < PREAMBLE_BYTES) throw new MalformedMessage('The message is cut off.');
  const view = new DataView(bytes.buffer, bytes.byteOffset, PREAMBLE_BYTES);
  if (view.getUint32(0, true) !== MAGIC) {
    throw new MalformedMessage('This is no message of the inference format.');
  }
  // Before anything else: what follows may mean something else in another version.
  const version = view.getUint16(4, true);
  if (version !== WIRE_VERSION) throw new WireVersionMismatch(WIRE_VERSION, version);
  if (view.getUint16(6, true) !== KINDS[kind]) throw new MalformedMessage(`This is no ${kind}.`);
  const length = view.getUint32(8, true);
  if (length > MAX_HEAD_BYTES) throw new MalformedMessage('The head of the message is too long.');
  if (length % HEAD_ALIGNMENT !== 0) throw new MalformedMessage('The head has an odd length.');
  return length;
}

/** @throws MalformedMessage if the bytes are no JSON */
export function parseHead(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch (cause) {
    throw new MalformedMessage('The head of the message is no JSON.', { cause });
  }
}
