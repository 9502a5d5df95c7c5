import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { PassThrough, Writable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { HttpError } from './http-errors.ts';
import { pipeBody } from './pipe-body.ts';

/** A limit in ms that is too long for any test to reach. */
const ANY_MS = 3_600_000;
const UNREACHED = { silenceMs: ANY_MS, averageAfterMs: ANY_MS, leastAverage: 1 };

/** Starts a request that ends with the given text, by default an incomplete body. Returns the request and the client's socket. */
async function startRequest(resources: DisposableStack, rest = 'Content-Length: 1000\r\n\r\nabc') {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write(`POST / HTTP/1.1\r\nHost: x\r\n${rest}`);
  resources.defer(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  return { request, client };
}

test.each([
  ['is silent', { ...UNREACHED, silenceMs: 30 }],
  ['sends too little', { ...UNREACHED, averageAfterMs: 30, leastAverage: 1e9 }],
])('a client that %s is refused', async (_what, pace) => {
  using resources = new DisposableStack();
  const { request, client } = await startRequest(resources);
  const sending = setInterval(() => client.write(pace.silenceMs === ANY_MS ? 'd' : ''), 10);
  resources.defer(() => clearInterval(sending));
  const sink = new PassThrough().resume();
  const piped = pipeBody(request, sink, { maxBytes: 1e6, timeoutMs: ANY_MS, pace });
  await expect(piped).rejects.toMatchObject({ code: 'request_timeout' });
});

test('a slow sink does not count against the client', async () => {
  using resources = new DisposableStack();
  const { request, client } = await startRequest(resources);
  const chunks: Buffer[] = [];
  const sink = new Writable({
    highWaterMark: 1,
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      setTimeout(done, 600);
    },
  });
  const pace = { silenceMs: 500, averageAfterMs: 500, leastAverage: 1e6 };
  const piped = pipeBody(request, sink, { maxBytes: 1e6, timeoutMs: ANY_MS, pace });
  client.write('d'.repeat(997));
  await piped;
  expect(Buffer.concat(chunks)).toHaveLength(1000);
});

test.each([
  [1, 40_000, 'rejects'],
  [1, 30_000, 'resolves'],
  [80, 40_000, 'resolves'],
] as const)('chunks of %d bytes, %d in number: %s', async (size, count, outcome) => {
  using resources = new DisposableStack();
  const { request, client } = await startRequest(resources, 'Transfer-Encoding: chunked\r\n\r\n');
  const chunk = `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`;
  client.write(`${chunk.repeat(count)}0\r\n\r\n`);
  const piped = pipeBody(request, new PassThrough().resume(), { maxBytes: 1e9, timeoutMs: ANY_MS });
  const result = await piped.then(
    () => 'resolves',
    (error: unknown) => (isFragmented(error) ? 'rejects' : error),
  );
  expect(result).toBe(outcome);
});

function isFragmented(error: unknown): boolean {
  return error instanceof HttpError && error.code === 'invalid_request';
}
