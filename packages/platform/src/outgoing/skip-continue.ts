import type { Socket } from 'node:net';

/** The beginning of an interim response, whose status is 1xx. */
const INTERIM = 'HTTP/1.1 1';
const INTERIM_HEAD = /^HTTP\/1\.\d 1\d\d[^]*?\n\r?\n/;
/** The longest head of an interim response that is waited for, in bytes. */
const MAX_HEAD_BYTES = 16 * 1024;
const NOTHING = Buffer.alloc(0);

/**
 * Removes each `100 Continue` before a response from what a server sends. undici, which requests none, takes it for an
 * error, although a client has to skip it (RFC 9110, 15.2). Other interim responses are left to undici.
 */
export class ContinueFilter {
  #held = NOTHING;
  #mayFollow = true;

  /** Called when a request is sent: a response follows. */
  expectResponse(): void {
    this.#held = NOTHING;
    this.#mayFollow = true;
  }

  /** The bytes that remain of those received. The beginning of an interim response waits until the rest has arrived. */
  pass(received: Buffer): Buffer {
    if (!this.#mayFollow) return received;
    let rest = Buffer.concat([this.#held, received]);
    const kept: Buffer[] = [];
    while (mayBeInterim(rest)) {
      const [head] = INTERIM_HEAD.exec(rest.toString('latin1', 0, MAX_HEAD_BYTES)) ?? [];
      if (head === undefined) break;
      if (!head.startsWith('100', INTERIM.length - 1)) kept.push(rest.subarray(0, head.length));
      rest = rest.subarray(head.length);
    }
    this.#mayFollow = mayBeInterim(rest) && rest.length < MAX_HEAD_BYTES;
    this.#held = this.#mayFollow ? rest : NOTHING;
    return this.#mayFollow ? Buffer.concat(kept) : Buffer.concat([...kept, rest]);
  }
}

function mayBeInterim(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, INTERIM.length).replace('/1.0', '/1.1');
  return INTERIM.startsWith(start);
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
