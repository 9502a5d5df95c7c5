import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { HttpListener, type HttpListenerOptions } from './http-listener.ts';

/** A response that is larger than the socket buffers of the system. */
const LARGE = Buffer.alloc(32 * 1024 * 1024, 'a');
/** A limit in ms that is too long for any test to reach. */
const ANY_MS = 3_600_000;

let listener: HttpListener;
let socket: Socket;

afterEach(async () => {
  socket.destroy();
  await listener[Symbol.asyncDispose]();
});

async function listen(
  limits: Pick<HttpListenerOptions, 'answerSilenceMs' | 'unreadBodyMs' | 'drain'>,
  handler: HttpListenerOptions['handler'],
): Promise<void> {
  listener = await HttpListener.open({
    name: 'test server',
    host: '127.0.0.1',
    port: 0,
    portVariable: 'PORT',
    stopTimeoutMs: 50,
    answerSilenceMs: ANY_MS,
    unreadBodyMs: ANY_MS,
    ...limits,
    handler,
  });
  socket = connect(listener.address.port, '127.0.0.1')
    .on('error', () => undefined)
    .pause();
}

const isClosed = () => new Promise((closed) => socket.resume().once('close', closed));

describe('an answer', () => {
  const answers: Record<string, (response: ServerResponse) => void> = {
    'in one write': (response) => void response.end(LARGE),
    'in a stream': (response) => {
      const more = (): void => {
        while (response.write(LARGE.subarray(0, 65_536)));
        response.once('drain', more);
      };
      more();
    },
  };

  test.each(Object.entries(answers))(
    'that the client does not read is aborted (%s)',
    async (_how, answer) => {
      const ended = Promise.withResolvers<boolean>();
      await listen({ answerSilenceMs: 50 }, (_request, response) => {
        response.once('close', () => ended.resolve(response.writableFinished));
        answer(response);
      });
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      expect(await ended.promise).toBe(false);
    },
  );

  test('is sent whole to a client that reads slowly', async () => {
    await listen({ answerSilenceMs: 2_500 }, (_request, response) => {
      response.writeHead(200, { 'Content-Length': LARGE.length }).end(LARGE);
    });
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    let received = 0;
    socket.on('readable', () => undefined);
    // The client reads in 50 steps of 80 ms, which takes longer than the limit.
    const step = LARGE.length / 50;
    for (let ended = false; !ended;) {
      const until = received + step;
      while (received < until && !ended) {
        const chunk = socket.read() as Buffer | null;
        if (chunk !== null) received += chunk.length;
        else if (socket.readableEnded || socket.destroyed) ended = true;
        else await Promise.race([once(socket, 'readable'), once(socket, 'close')]);
      }
      await delay(80);
    }
    expect(received).toBeGreaterThan(LARGE.length);
  });

  test('may start late', async () => {
    await listen({ answerSilenceMs: 20 }, (_request, response) => {
      setTimeout(() => response.end('at last'), 100);
    });
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const [answer] = (await once(socket.resume(), 'data')) as [Buffer];
    expect(answer.toString()).toContain('at last');
  });
});

describe('a body that does not arrive', () => {
  const head = (method: string) => `${method} / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n`;

  test('does not keep a connection whose handler does not read it', async () => {
    await listen({ unreadBodyMs: 50 }, () => undefined);
    socket.write(head('GET'));
    await isClosed();
  });

  test('does not keep a connection whose response was sent', async () => {
    const drain = { silenceMs: 50, totalMs: ANY_MS, maxBytes: 1 };
    await listen({ drain }, (_request, response) => void response.end('early'));
    socket.write(head('GET'));
    await isClosed();
  });

  test('is limited only by the handler if the handler reads it', async () => {
    await listen({ unreadBodyMs: 20 }, (request, response) => {
      request.on('data', () => undefined).on('end', () => response.end('complete'));
    });
    socket.write(head('POST'));
    await delay(100);
    socket.write('123456789');
    const [answer] = (await once(socket.resume(), 'data')) as [Buffer];
    expect(answer.toString()).toContain('complete');
  });
});
