import type { AnalysisRequest } from '@sightline/core/analysis/image-analyzer';
import { GrowingBytes } from './growing-bytes.ts';
import { parseAs, requestSchema } from './head-schemas.ts';
import { encodeHead, parseHead, PREAMBLE_BYTES, readPreamble } from './preamble.ts';
import { MalformedMessage } from './wire-errors.ts';
import { WIRE_VERSIONS } from './wire-versions.ts';

/** The content of a request message. Headers carry the tenant. */
type WireRequest = Omit<AnalysisRequest, 'tenant'>;

/** Returns the chunks of a request, to be written in order. The last chunk is the image itself. */
export function encodeRequest(
  { image, ...head }: WireRequest,
  version = Math.max(...WIRE_VERSIONS),
): readonly Uint8Array[] {
  return [encodeHead('request', head, version), image];
}

/**
 * Assembles a request from chunks as they arrive. The image gets its own buffer, so that it can be
 * transferred to another thread.
 */
export class RequestReader {
  readonly #total: number;
  readonly #spoken: readonly number[];
  readonly #preamble = new GrowingBytes(PREAMBLE_BYTES);
  /** The parts behind the preamble; null until the preamble is complete. */
  #body: {
    readonly version: number;
    readonly head: GrowingBytes;
    readonly image: GrowingBytes;
  } | null = null;
  #received = 0;

  /** @param total length of the whole message in bytes, which the caller has limited */
  constructor(total: number, spoken = WIRE_VERSIONS) {
    this.#total = total;
    this.#spoken = spoken;
  }

  /**
   * The version of the message, and therefore of its answer. It is known when the preamble is
   * complete.
   */
  get version(): number {
    return this.#body!.version;
  }

  /** @throws MalformedMessage or WireVersionMismatch, as soon as the error is detected */
  push(chunk: Uint8Array): void {
    this.#received += chunk.length;
    if (this.#received > this.#total) {
      throw new MalformedMessage('The message is longer than announced.');
    }
    const rest = this.#preamble.fill(chunk);
    if (!this.#preamble.isComplete) return;
    this.#body ??= this.#divide();
    this.#body.image.fill(this.#body.head.fill(rest));
  }

  /** @throws MalformedMessage if the message is incomplete or invalid */
  finish(): WireRequest {
    if (this.#received < this.#total || this.#body === null) {
      throw new MalformedMessage('The message is truncated.');
    }
    const { head, image } = this.#body;
    const { models, faces, faceRegions, objects, renditions } = parseAs(
      requestSchema,
      parseHead(head.bytes),
    );
    return {
      image: image.bytes,
      ...(models && { models }),
      ...(faces && { faces }),
      ...(faceRegions && { faceRegions }),
      ...(objects && { objects }),
      ...(renditions && { renditions }),
    };
  }

  #divide() {
    const { version, headLength } = readPreamble(this.#preamble.bytes, 'request', this.#spoken);
    const imageLength = this.#total - PREAMBLE_BYTES - headLength;
    if (imageLength < 0) throw new MalformedMessage('The head is longer than the message.');
    return { version, head: new GrowingBytes(headLength), image: new GrowingBytes(imageLength) };
  }
}
