import type { Socket } from 'node:net';

/** The beginning of an interim response, whose status is 1xx. */
const INTERIM = 'HTTP/1.1 1';
/** The most bytes of interim responses before one response, so that a hostile server cannot keep the process busy. */
const MAX_INTERIM_BYTES = 16 * 1024;
const [LF, CR] = [0x0a, 0x0d];
const NOTHING = Buffer.alloc(0);

/**
 * Removes each `100 Continue` before a response from what a server sends. undici, which requests none, takes it for an
 * error, although a client has to skip it (RFC 9110, 15.2). Other interim responses are left to undici, and so is
 * everything after too many bytes of them.
 */
export class ContinueFilter {
  #held = NOTHING;
  #mayFollow = true;
  #bytesLeft = MAX_INTERIM_BYTES;

  /** Called when a request is sent: a response follows. */
  expectResponse(): void {
    this.#held = NOTHING;
    this.#mayFollow = true;
    this.#bytesLeft = MAX_INTERIM_BYTES;
  }

  /** The bytes that remain of those received. The beginning of an interim response waits until the rest has arrived. */
  pass(received: Buffer): Buffer {
    if (!this.#mayFollow) return received;
    let rest = Buffer.concat([this.#held, received]);
    const kept: Buffer[] = [];
    // The held bytes were searched before; only their last two may belong to the end of the head.
    let from = Math.max(0, this.#held.length - 2);
    while (mayBeInterim(rest)) {
      const length = headLength(rest, from);
      if (length === null || length > this.#bytesLeft) break;
      if (!isContinue(rest)) kept.push(rest.subarray(0, length));
      this.#bytesLeft -= length;
      rest = rest.subarray(length);
      from = 0;
    }
    this.#mayFollow = mayBeInterim(rest) && rest.length <= this.#bytesLeft;
    this.#held = this.#mayFollow ? rest : NOTHING;
    return this.#mayFollow ? Buffer.concat(kept) : Buffer.concat([...kept, rest]);
  }
}

function mayBeInterim(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, INTERIM.length).replace('/1.0', '/1.1');
  return INTERIM.startsWith(start);
}

function isContinue(head: Buffer): boolean {
  return head.toString('latin1', INTERIM.length - 1, INTERIM.length + 2) === '100';
}

/** The length of the head at the beginning of the bytes, up to its empty line; null if that has not arrived. */
function headLength(bytes: Buffer, from: number): number | null {
  for (let at = bytes.indexOf(LF, from); at !== -1; at = bytes.indexOf(LF, at + 1)) {
    const next = bytes[at + 1] === CR ? at + 2 : at + 1;
    if (bytes[next] === LF) return next + 1;
  }
  return null;
}

/** Makes a connection skip each `100 Continue`. undici takes all bytes of a connection by `read`. */
export function skipContinue(socket: Socket): Socket {
  const filter = new ContinueFilter();
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  const write = socket.write.bind(socket) as (...words: unknown[]) => boolean;
  return Object.assign(socket, {
    read(size?: number): Buffer | null {
      for (;;) {
        const chunk = read(size);
        if (chunk === null) return null;
        const passed = filter.pass(chunk);
        if (passed.length > 0) return passed;
      }
    },
    write(...words: unknown[]): boolean {
      filter.expectResponse();
      return write(...words);
    },
  });
}
