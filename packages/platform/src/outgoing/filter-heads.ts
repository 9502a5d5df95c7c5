import type { Socket } from 'node:net';

/** The beginning of the head of a response. */
const HEAD = 'HTTP/1.';
/** The position of the status in a head. */
const STATUS = 'HTTP/1.1 '.length;
/**
 * The most bytes of a head together with the interim ones before it. undici reads interim heads without a limit, and
 * makes an error for every header after its own limit, so that a hostile server could keep the process busy.
 */
const MAX_HEAD_BYTES = 32 * 1024;
const [LF, CR] = [0x0a, 0x0d];
const NOTHING = Buffer.alloc(0);

/**
 * Holds the heads of responses until they have arrived, and removes each `100 Continue`. undici, which requests none,
 * takes it for an error, although a client has to skip it (RFC 9110, 15.2). Other interim responses are left to undici.
 */
export class HeadFilter {
  #held = NOTHING;
  #isInHead = true;
  #bytesLeft = MAX_HEAD_BYTES;

  /** Called when a request, or a part of it, is sent: a response follows. */
  expectResponse(): void {
    if (this.#isInHead) return;
    this.#isInHead = true;
    this.#bytesLeft = MAX_HEAD_BYTES;
  }

  /** The bytes that remain of those received, or null if the head is too large. An incomplete head waits for its rest. */
  pass(received: Buffer): Buffer | null {
    if (!this.#isInHead) return received;
    let rest = Buffer.concat([this.#held, received]);
    const kept: Buffer[] = [];
    // The held bytes were searched before; only their last two may belong to the end of the head.
    let from = Math.max(0, this.#held.length - 2);
    for (let isInterim = true; isInterim && mayBeHead(rest); from = 0) {
      const length = headLength(rest, from);
      if ((length ?? rest.length) > this.#bytesLeft) return null;
      if (length === null) {
        this.#held = rest;
        return Buffer.concat(kept);
      }
      const status = rest.toString('latin1', STATUS, STATUS + 3);
      if (status !== '100') kept.push(rest.subarray(0, length));
      isInterim = status.startsWith('1');
      this.#bytesLeft -= length;
      rest = rest.subarray(length);
    }
    this.#held = NOTHING;
    this.#isInHead = false;
    return Buffer.concat([...kept, rest]);
  }
}

/** Whether bytes are the beginning of a head. Anything else is passed at once, because undici refuses it. */
function mayBeHead(bytes: Buffer): boolean {
  return HEAD.startsWith(bytes.toString('latin1', 0, HEAD.length));
}

/** The length of the head at the beginning of the bytes, up to its empty line; null if that has not arrived. */
function headLength(bytes: Buffer, from: number): number | null {
  for (let at = bytes.indexOf(LF, from); at !== -1; at = bytes.indexOf(LF, at + 1)) {
    const next = bytes[at + 1] === CR ? at + 2 : at + 1;
    if (bytes[next] === LF) return next + 1;
  }
  return null;
}

/** Makes a connection pass what its filter leaves. undici takes all bytes of a connection by `read`. */
export function filterHeads(socket: Socket): Socket {
  const filter = new HeadFilter();
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  const write = socket.write.bind(socket) as (...words: unknown[]) => boolean;
  return Object.assign(socket, {
    read(size?: number): Buffer | null {
      for (;;) {
        const chunk = read(size);
        if (chunk === null) return null;
        const passed = filter.pass(chunk);
        if (passed === null) {
          socket.destroy(new Error('The head of the response is too large.'));
          return null;
        }
        if (passed.length > 0) return passed;
      }
    },
    write(...words: unknown[]): boolean {
      filter.expectResponse();
      return write(...words);
    },
  });
}
