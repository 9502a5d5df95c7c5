import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { answerMalformed } from './answer-malformed.ts';
import { DRAIN_LIMITS } from './drain-limits.ts';
import { serveInTurn } from './serve-in-turn.ts';

const HEADERS_TIMEOUT_MS = 200;

let server: Server;
let socket: Socket;
let parsed: number;
/** The requests whose handler has started, with the body received so far. */
let handled: { url: string; body: string; response: ServerResponse }[];
/** Sends the handler's response. If undefined, the handler sends no response. */
let answer: ((response: ServerResponse) => void) | undefined;
/** The number of requests that the connection had started each time that it became idle. */
let idleAfter: number[];
/** The number of requests that the connection had started each time that received bytes had to wait for a turn. */
let busyAfter: number[];

beforeEach(async () => {
  parsed = 0;
  handled = [];
  idleAfter = [];
  busyAfter = [];
  answer = (response) => void response.end('ok');
  server = createServer({
    requireHostHeader: false,
    headersTimeout: HEADERS_TIMEOUT_MS,
    connectionsCheckingInterval: HEADERS_TIMEOUT_MS / 4,
  });
  server.prependListener('request', () => (parsed += 1));
  const turns = serveInTurn(server, {
    drain: DRAIN_LIMITS,
    busy: () => busyAfter.push(handled.length),
    idle: () => idleAfter.push(handled.length),
    handler: (request, response) => {
      const entry = { url: request.url!, body: '', response };
      handled.push(entry);
      if (entry.url === '/unread') {
        server.emit('unread', request);
        return;
      }
      request.on('data', (chunk: Buffer) => (entry.body += chunk.toString()));
      request.on('end', () => answer?.(response));
      server.emit('handled');
    },
  });
  answerMalformed(server, { turns, drain: DRAIN_LIMITS });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
});

afterEach(() => {
  socket.destroy();
  server.closeAllConnections();
  server.close();
});

const get = (path: number | string, more = ''): string =>
  `GET /${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const last = (path: number | string): string => get(path, 'Connection: close\r\n');
const urls = (): string[] => handled.map(({ url }) => url);

async function handledOf(count: number): Promise<void> {
  while (handled.length < count) await once(server, 'handled');
}

describe('many requests in one packet', () => {
  const COUNT = 1500;
  const flood = Array.from({ length: COUNT }, (_, index) => get(index)).join('');

  test('begin one after the other, and none is parsed in advance', async () => {
    answer = undefined;
    socket.write(flood);
    for (let done = 1; done <= 50; done++) {
      await handledOf(done);
      await new Promise((resolve) => setImmediate(resolve));
      expect(handled).toHaveLength(done);
      expect(parsed).toBe(done);
      handled.at(-1)!.response.end('ok');
    }
  });

  test('are all answered, in order', async () => {
    socket.write(flood + last('end'));
    const answers = (await text(socket)).split('HTTP/1.1 200 OK').slice(1);
    expect(answers).toHaveLength(COUNT + 1);
    expect(urls()).toEqual([...Array.from({ length: COUNT }, (_, index) => `/${index}`), '/end']);
  });

  test('leave the connection idle only after the last response', async () => {
    socket.write(get(1).repeat(100));
    while (idleAfter.length === 0) await new Promise(setImmediate);
    expect(idleAfter).toEqual([100]);
    socket.write('GET /unfinished');
    while (idleAfter.length === 1) await new Promise(setImmediate);
    expect(idleAfter).toEqual([100, 100]);
  });

  test('that are very short or blank lines are answered, too', async () => {
    answer = (response) => void response.end();
    socket.write('\r\n\r\n'.repeat(500) + 'GET /1 HTTP/1.1\r\n\r\n'.repeat(500) + last('end'));
    await text(socket);
    expect(handled).toHaveLength(501);
  });

  test.each([
    ['no body', '\r\n'],
    ['a body with a length', 'Content-Length: 3\r\n\r\nabc'],
    ['a chunked body', 'Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n'],
  ])('are answered behind one with %s that asks for an upgrade', async (_of, rest) => {
    const asking = `POST /1 HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: h2c\r\n${rest}`;
    socket.write(asking + get(2) + last(3));
    expect((await text(socket)).match(/200 OK/g)).toHaveLength(3);
    expect(urls()).toEqual(['/1', '/2', '/3']);
  });

  test.each([
    ['of a request without a body', get('first')],
    ['of a body', 'POST /first HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc'],
    [
      'of a chunked body',
      'POST /first HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
    ],
  ])('may end in the middle of a head, behind the end %s', async (_of, first) => {
    answer = undefined;
    const [begin, rest] = [last(2).slice(0, 20), last(2).slice(20)];
    socket.write(first + begin);
    await handledOf(1);
    // Node begins to count the time of a head with the first byte that it parses.
    await delay(3 * HEADERS_TIMEOUT_MS);
    answer = (response) => void response.end('ok');
    answer(handled[0]!.response);
    await once(socket, 'data');
    socket.write(rest);
    const answers = await text(socket);
    expect(answers).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(urls()).toEqual(['/first', '/2']);
  });

  test('end with the first request that has Connection: close', async () => {
    socket.write(get(1) + last(2) + flood);
    expect((await text(socket)).match(/200 OK/g)).toHaveLength(2);
    expect(urls()).toEqual(['/1', '/2']);
  });

  test.each<[string, (connection: Socket) => void]>([
    ['leaves', () => socket.destroy()],
    ['resets the connection', () => socket.resetAndDestroy()],
    ['is cut off', (connection) => connection.destroy(new Error('write EPIPE'))],
    ['does not end its side', (connection) => connection.destroySoon()],
  ])('of a client that %s are dropped', async (_what, leave) => {
    answer = undefined;
    socket.write(flood);
    await handledOf(1);
    const { response } = handled[0]!;
    const closed = once(response, 'close');
    const connection = response.socket!;
    leave(connection);
    while (response.write(Buffer.alloc(1_000_000)) && !connection.writableEnded);
    socket.destroy();
    await closed;
    expect(handled).toHaveLength(1);
  });

  test('are served when the client has already ended its side', async () => {
    socket.write(flood);
    socket.end();
    await text(socket);
    expect(handled).toHaveLength(COUNT);
  });

  test('on many connections delay another address by few requests', async () => {
    const { port } = server.address() as AddressInfo;
    const greedy = Array.from({ length: 20 }, () => connect(port, '127.0.0.1').pause());
    for (const connection of greedy) connection.write(flood);
    await handledOf(100);
    const other = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    other.write(last('other'));
    await text(other);
    expect(urls()).toContain('/other');
    expect(handled.length).toBeLessThan(COUNT);
    for (const connection of greedy) connection.destroy();
  });

  test('get one turn per iteration while connections wait to be accepted', async () => {
    const { port } = server.address() as AddressInfo;
    const connections = (count: number) =>
      Array.from({ length: count }, () => connect(port, '127.0.0.1').pause());
    const greedy = connections(20);
    for (const connection of greedy) connection.write(flood);
    await handledOf(100);
    let accepted = 0;
    const before = handled.length;
    server.on('connection', () => (accepted += 1));
    const late = connections(100);
    while (accepted < late.length) await once(server, 'connection');
    expect(handled.length - before).toBeLessThan(2 * late.length);
    for (const connection of [...greedy, ...late]) connection.destroy();
  });
});

test('a connection is busy before its request is handled', async () => {
  socket.write(get(1));
  await handledOf(1);
  expect(busyAfter).toEqual([0]);
});

describe('bodies', () => {
  const body = `a\r\n\r\nb${'\r\n\r\n'.repeat(300)}c`;
  const post = `POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const chunked = `POST /chunks HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

  test.each(['at once', 'byte by byte'])(
    'arrive completely before the next request (%s)',
    async (how) => {
      const sent = post + get(1) + chunked + get(2) + post + last(3);
      const end = text(socket);
      if (how === 'at once') socket.write(sent);
      else {
        socket.setNoDelay(true);
        for (const byte of sent) await new Promise((done) => socket.write(byte, done));
      }
      expect((await end).match(/200 OK/g)).toHaveLength(6);
      expect(urls()).toEqual(['/body', '/1', '/chunks', '/2', '/body', '/3']);
      expect(handled.map((each) => each.body)).toEqual([body, '', body, '', body, '']);
    },
  );

  test('in chunks that are read at once are not collected', async () => {
    const concat = jest.spyOn(Buffer, 'concat');
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    socket.write('POST /large HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    for (let sent = 0; sent < 256; sent++) {
      if (!socket.write(chunk)) await once(socket, 'drain');
    }
    socket.write(`0\r\n\r\n${last('end')}`);
    await text(socket);
    const collected = concat.mock.results.map(({ value }) => (value as Buffer).length);
    concat.mockRestore();
    expect(handled[0]!.body).toHaveLength(256 * 65_536);
    expect(Math.max(0, ...collected)).toBeLessThan(512 * 1024);
  });

  test('in tiny chunks take many turns, each for a part', async () => {
    const clock = jest.spyOn(performance, 'now');
    let now = 0;
    // A turn and an iteration have used their time after the first part.
    clock.mockImplementation(() => (now += 100));
    const COUNT = 10_000;
    socket.write('POST /tiny HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    await handledOf(1);
    socket.write(`1\r\nx\r\n`.repeat(COUNT));
    let [received, most] = [0, 0];
    while (received < COUNT) {
      await new Promise(setImmediate);
      const length = handled[0]!.body.length;
      most = Math.max(most, length - received);
      received = length;
    }
    clock.mockRestore();
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(COUNT / 3);
  });

  test('that no handler reads stay at the client until they are read', async () => {
    const length = 32 * 1024 ** 2;
    const request = new Promise<IncomingMessage>((resolve) => server.once('unread', resolve));
    socket.write(`POST /unread HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`);
    socket.write(Buffer.alloc(length));
    const unread = await request;
    let received = -1;
    while (unread.socket.bytesRead > received) {
      received = unread.socket.bytesRead;
      await delay(20);
    }
    expect(received).toBeLessThan(1024 ** 2);
    expect(await buffer(unread)).toHaveLength(length);
  });

  test('that are full of blank lines take few turns, also after an early response', async () => {
    const COUNT = 100_000;
    socket.write(`POST /late HTTP/1.1\r\nHost: x\r\nContent-Length: ${4 * COUNT}\r\n\r\n`);
    await handledOf(1);
    handled[0]!.response.end('early');
    await once(socket, 'data');
    const before = busyAfter.length;
    socket.write('\r\n\r\n'.repeat(COUNT) + '\r\n'.repeat(1000) + last('next'));
    await text(socket);
    expect(urls()).toEqual(['/late', '/next']);
    expect(busyAfter.length - before).toBeLessThan(100);
  });

  test('that arrive after their response are dropped', async () => {
    socket.write('POST /late HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\nabc');
    await handledOf(1);
    handled[0]!.response.end('early');
    await once(socket, 'data');
    socket.write(`def${last('next')}`);
    await text(socket);
    expect(urls()).toEqual(['/late', '/next']);
  });
});

test('a disconnect of the client is noticed while its request is handled', async () => {
  answer = undefined;
  socket.write(get(1));
  await handledOf(1);
  const closed = once(handled[0]!.response, 'close');
  socket.destroy();
  await closed;
});
