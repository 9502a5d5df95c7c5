import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { StartError } from '../lifecycle/start-error.ts';
import { TrustedProxies } from './client-address.ts';
import { HttpListener, type HttpListenerOptions } from './http-listener.ts';

const OPTIONS: HttpListenerOptions = {
  name: 'API',
  host: '127.0.0.1',
  port: 0,
  portVariable: 'SIGHTLINE_PORT',
  handler: (_request, response) => void response.end('ok'),
};

/** Options with a stop timeout that no test reaches. */
const UNREACHED: HttpListenerOptions = { ...OPTIONS, stopTimeoutMs: 3_600_000 };
/**
 * The time limit of a test. It is shorter than the idle timeout of a connection, so the test fails if a stop waits
 * for the idle timeout.
 */
const TEST_MS = 50_000;

describe('starting', () => {
  test('port 0 takes a free port, which the address contains', async () => {
    await using listener = await HttpListener.open(OPTIONS);
    const response = await fetch(`http://127.0.0.1:${listener.address.port}/`);
    expect(await response.text()).toBe('ok');
  });

  test('a listener has a URL, and a URL for clients on this machine', async () => {
    await using listener = await HttpListener.open(OPTIONS);
    const { port } = listener.address;
    expect(listener.url).toBe(`http://127.0.0.1:${port}`);
    expect(listener.localUrl).toBe(`http://127.0.0.1:${port}`);
  });

  test('a port in use is an error that names the solution', async () => {
    await using first = await HttpListener.open(OPTIONS);
    const { port } = first.address;
    const second = HttpListener.open({ ...OPTIONS, port });
    await expect(second).rejects.toThrow(StartError);
    await expect(second).rejects.toThrow(
      `The API cannot listen on port ${port} of 127.0.0.1, because another process uses the port: stop that process, or set SIGHTLINE_PORT to another port.`,
    );
  });

  test('an address of another machine is an error that names the solution', async () => {
    const listener = HttpListener.open({ ...OPTIONS, host: '192.0.2.1' });
    await expect(listener).rejects.toThrow(StartError);
    await expect(listener).rejects.toThrow(
      'The API cannot listen on 192.0.2.1:0 (EADDRNOTAVAIL): set SIGHTLINE_HOST to an address of this machine.',
    );
  });
});

describe('one address with many connections', () => {
  const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
  const closedFor: string[] = [];
  const connections = { open: () => undefined, closed: (reason: string) => closedFor.push(reason) };
  const from = (port: number, localAddress: string) =>
    connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined);
  const ended = (socket: Socket) => new Promise((closed) => socket.resume().once('close', closed));

  async function answered(socket: Socket): Promise<Socket> {
    socket.write(REQUEST);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toContain('200 OK');
    return socket;
  }

  beforeEach(() => void closedFor.splice(0));

  test('loses the connection that has been idle longest, and others get in', async () => {
    await using listener = await HttpListener.open({ ...OPTIONS, maxConnections: 6, connections });
    const { port } = listener.address;
    const greedy = [];
    for (let count = 0; count < 2; count++) greedy.push(await answered(from(port, '127.0.0.1')));
    const cut = ended(greedy[0]!);
    const next = await answered(from(port, '127.0.0.1'));
    await cut;
    expect(closedFor).toEqual(['idle']);
    const polite = await answered(from(port, '127.0.0.2'));
    for (const socket of [await answered(greedy[1]!), next, polite]) socket.destroy();
  });

  test('gets no further one while all of them have requests in progress', async () => {
    const responses: ServerResponse[] = [];
    const handler: RequestListener = (request, response) => {
      if (request.socket.remoteAddress === '127.0.0.2') response.end('ok');
      else responses.push(response);
    };
    const options = { ...OPTIONS, handler, maxConnections: 6, connections };
    await using listener = await HttpListener.open(options);
    const { port } = listener.address;
    const busy = [from(port, '127.0.0.1'), from(port, '127.0.0.1')];
    for (const socket of busy) socket.write(REQUEST);
    while (responses.length < 2) await new Promise((resolve) => setImmediate(resolve));
    await ended(from(port, '127.0.0.1'));
    expect(closedFor).toEqual(['over_share']);
    (await answered(from(port, '127.0.0.2'))).destroy();
    for (const response of responses) response.end();
    for (const socket of busy) {
      await once(socket, 'data');
      socket.destroy();
    }
  });

  test('keeps all of them if it is a trusted proxy', async () => {
    const trustedProxies = new TrustedProxies(['127.0.0.1/32']);
    const options = { ...OPTIONS, maxConnections: 4, trustedProxies, connections };
    await using listener = await HttpListener.open(options);
    const { port } = listener.address;
    const proxy = [];
    for (let count = 0; count < 3; count++) proxy.push(await answered(from(port, '127.0.0.1')));
    const client = await answered(from(port, '127.0.0.2'));
    const cut = ended(client);
    proxy.push(await answered(from(port, '127.0.0.1')));
    await cut;
    await ended(from(port, '127.0.0.3'));
    expect(closedFor).toEqual(['idle', 'full']);
    for (const socket of proxy) (await answered(socket)).destroy();
  });
});

describe('draining', () => {
  const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

  test('answers all requests, and asks each client to reconnect', async () => {
    const arrived = Promise.withResolvers<() => void>();
    let requests = 0;
    const listener = await HttpListener.open({
      ...UNREACHED,
      drainMs: 1_000,
      handler: (_request, response) => {
        requests++;
        const answer = (): void => void response.end('ok');
        if (requests === 2) arrived.resolve(answer);
        else answer();
      },
    });
    const { port } = listener.address;
    const [kept, busy] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    kept.write(GET);
    const [before] = (await once(kept, 'data')) as [Buffer];
    expect(before.toString()).toContain('Connection: keep-alive');
    busy.write(GET);
    const finish = await arrived.promise;

    const stopped = listener[Symbol.asyncDispose]();
    const later = connect(port, '127.0.0.1');
    kept.write(GET);
    later.write(GET);
    finish();
    for (const answer of await Promise.all([kept, busy, later].map((socket) => text(socket)))) {
      expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*Connection: close/);
    }
    await stopped;
    const refused = connect(port, '127.0.0.1');
    await expect(once(refused, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('lasts for the configured time, even without a connection', async () => {
    const listener = await HttpListener.open({ ...UNREACHED, drainMs: 50 });
    const stopped = listener[Symbol.asyncDispose]();
    const response = await fetch(listener.url);
    expect(response.headers.get('connection')).toBe('close');
    await response.text();
    await stopped;
  });
});

describe('stopping', () => {
  test(
    'running requests are finished, new ones are refused, kept connections are closed',
    async () => {
      const arrived = Promise.withResolvers<() => void>();
      const listener = await HttpListener.open({
        ...UNREACHED,
        handler: (_request, response) => arrived.resolve(() => void response.end('finished')),
      });
      const { port } = listener.address;
      const running = fetch(`http://127.0.0.1:${port}/`);
      const finish = await arrived.promise;

      const stopped = listener[Symbol.asyncDispose]();
      const refused = connect(port, '127.0.0.1');
      await expect(once(refused, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
      finish();

      expect(await (await running).text()).toBe('finished');
      await expect(stopped).resolves.toBeUndefined();
    },
    TEST_MS,
  );

  test(
    'an idle connection does not delay it',
    async () => {
      const listener = await HttpListener.open(UNREACHED);
      await (await fetch(`http://127.0.0.1:${listener.address.port}/`)).text();
      await expect(listener[Symbol.asyncDispose]()).resolves.toBeUndefined();
    },
    TEST_MS,
  );

  test('a connection without a request does not delay it, a connection with incomplete headers is served', async () => {
    const listener = await HttpListener.open(UNREACHED);
    const { port } = listener.address;
    const [silent, slow] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    await new Promise((sent) => slow.write('GET / HTTP/1.1\r\nHost: x\r\n', sent));
    // The server accepts connections in order, so after this response it has also accepted the two earlier
    // connections.
    await (await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } })).text();

    const stopped = listener[Symbol.asyncDispose]();
    silent.resume();
    await once(silent, 'close');
    slow.write('\r\n');
    const [answer] = (await once(slow, 'data')) as [Buffer];
    expect(answer.toString()).toContain('200 OK');
    await stopped;
  });

  test('a client that reads slowly gets its whole response', async () => {
    const body = Buffer.alloc(16 * 1024 ** 2, 'a');
    const arrived = Promise.withResolvers<() => void>();
    const listener = await HttpListener.open({
      ...UNREACHED,
      handler: (request, response) => {
        if (request.url === '/') arrived.resolve(() => void response.end('ok'));
        else response.end(body);
      },
    });
    const other = fetch(listener.url);
    const finish = await arrived.promise;
    const slow = connect(listener.address.port, '127.0.0.1');
    slow.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
    // At this point the server has written the whole large response, but most of it is not sent yet.
    const [begin] = (await once(slow, 'data')) as [Buffer];
    slow.pause();

    const stopped = listener[Symbol.asyncDispose]();
    finish();
    await (await other).text();
    const rest = await text(slow);
    const [head] = begin.toString().split('\r\n\r\n', 1);
    expect(begin.length + rest.length).toBe(head!.length + 4 + body.length);
    await stopped;
  });

  test('a request that never ends is cut off after the timeout', async () => {
    const arrived = Promise.withResolvers<true>();
    const listener = await HttpListener.open({
      ...OPTIONS,
      handler: () => arrived.resolve(true),
      stopTimeoutMs: 50,
    });
    const running = fetch(`http://127.0.0.1:${listener.address.port}/`);
    const outcome = expect(running).rejects.toThrow();
    await arrived.promise;
    await listener[Symbol.asyncDispose]();
    await outcome;
  });
});
