import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { brotliCompressSync, deflateRawSync, deflateSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { freePort } from '@sightline/dev-platform/free-port';
import { type FetchLimits, GuardedFetch } from './guarded-fetch.ts';
import { FetchFailed, FetchTimeout, FetchTooLarge, TargetRefused } from './outgoing-errors.ts';
import type { Endpoint, ResolvedAddress } from './target-guard.ts';

const LIMITS: FetchLimits = {
  environmentId: 1,
  reach: 'private',
  maxBytes: 1000,
  timeoutMs: 3_600_000,
};

let answer: RequestListener;
let server: Server;
let port: number;
let base: string;
let requests: { url: string | undefined; headers: NodeJS.Dict<string | string[]> }[];
let names: Record<string, readonly string[]>;
let lookups: string[];
let own: Endpoint[];
let fetcher: GuardedFetch;

beforeEach(async () => {
  requests = [];
  names = {};
  lookups = [];
  own = [];
  server = createServer((request, response) => {
    requests.push({ url: request.url, headers: request.headers });
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
  base = `http://127.0.0.1:${port}`;
  fetcher = new GuardedFetch({ ownEndpoints: () => own, resolve });
});

afterEach(async () => {
  await fetcher[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
});

function resolve(hostname: string): Promise<readonly ResolvedAddress[]> {
  lookups.push(hostname);
  const addresses = names[hostname];
  if (addresses === undefined) return Promise.reject(new Error(`no such name: ${hostname}`));
  return Promise.resolve(
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  );
}

async function textOf(url: string, limits = LIMITS): Promise<string> {
  return new TextDecoder().decode(await fetcher.bytes(url, limits));
}

describe('an answer', () => {
  test('is returned unchanged, in a new buffer', async () => {
    answer = (_request, response) => response.end('picture');
    const bytes = await fetcher.bytes(`${base}/a.jpg?size=1#part`, LIMITS);
    expect(new TextDecoder().decode(bytes)).toBe('picture');
    expect(bytes.buffer.byteLength).toBe(7);
    expect(requests[0]!.url).toBe('/a.jpg?size=1');
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
  ])('in %s is decoded', async (encoding, encode) => {
    answer = (_request, response) => {
      response.setHeader('Content-Encoding', encoding);
      response.end(encode('picture'));
    };
    expect(await textOf(base)).toBe('picture');
  });

  test.each([
    ['', 'picture'],
    ['utf-8', 'picture'],
    ['UTF-8', 'picture'],
    ['Identity', 'picture'],
    ['AWS-chunked', 'picture'],
    ['GZIP', gzipSync('picture')],
    ['aws-chunked,gzip', gzipSync('picture')],
    ['gzip, aws-chunked', gzipSync('picture')],
  ])('with the content encoding %j is decoded', async (encoding, body) => {
    answer = (_request, response) => response.setHeader('Content-Encoding', encoding).end(body);
    expect(await textOf(base)).toBe('picture');
  });

  test('is found behind interim responses, also on a connection that is used again', async () => {
    answer = (request, response) => {
      response.writeContinue();
      if (request.url === '/hints') response.writeEarlyHints({ link: '</a>; rel=preload' });
      response.writeContinue();
      response.end(String(request.socket.remotePort));
    };
    const ports = [];
    for (const path of ['/', '/', '/hints', '/']) ports.push(await textOf(base + path));
    expect(new Set(ports).size).toBeLessThan(ports.length);
    const sent = {
      environmentId: 1,
      reach: 'private',
      headers: {},
      body: Buffer.from('x'),
    } as const;
    const limits = { maxAnswerBytes: 1000, timeoutMs: 3_600_000 };
    expect(await fetcher.post(base, Object.assign(limits, sent))).toMatchObject({ status: 200 });
  });

  test.each([
    ['user:pa%3Ass', 'user:pa:ss'],
    ['us%20er:', 'us er:'],
    [':word', ':word'],
    ['us%C3%A9r:%25%zz', 'usér:%%zz'],
  ])('of a URL with the credentials %s is requested with them', async (given, sent) => {
    answer = (request, response) => {
      if (request.url === '/') response.writeHead(302, { Location: '/next' });
      response.end(request.headers.authorization);
    };
    const basic = `Basic ${Buffer.from(sent).toString('base64')}`;
    expect(await textOf(base.replace('//', `//${given}@`))).toBe(basic);
    expect(requests.map(({ url }) => url)).toEqual(['/', '/next']);
  });

  test('of another origin is requested without the credentials of the first URL', async () => {
    names = { 'other.test': ['127.0.0.1'] };
    answer = (request, response) => {
      const location = `http://other.test:${port}/next`;
      if (request.url === '/') response.writeHead(302, { Location: location });
      response.end(request.headers.authorization ?? 'none');
    };
    expect(await textOf(base.replace('//', '//user:word@'))).toBe('none');
    expect(requests[0]!.headers.authorization).toBe('Basic dXNlcjp3b3Jk');
  });

  test('of the first origin is requested without credentials if another origin redirected to it', async () => {
    names = { 'other.test': ['127.0.0.1'] };
    const locations: Record<string, string> = {
      '/': `http://other.test:${port}/next`,
      '/next': `${base}/last`,
    };
    answer = (request, response) => {
      const location = locations[request.url!];
      if (location !== undefined) response.writeHead(302, { Location: location });
      response.end(request.headers.authorization ?? 'none');
    };
    expect(await textOf(base.replace('//', '//user:word@'))).toBe('none');
    expect(requests.map(({ url }) => url)).toEqual(['/', '/next', '/last']);
  });

  test('of a name is fetched from the address of the name', async () => {
    names = { 'photos.test': ['127.0.0.1'] };
    answer = (request, response) => response.end(request.headers.host);
    expect(await textOf(`http://photos.test:${port}/`)).toBe(`photos.test:${port}`);
  });

  test('is fetched without cookies, also without those of redirects', async () => {
    answer = (request, response) => {
      response.setHeader('Set-Cookie', 'session=1');
      if (request.url === '/') response.writeHead(302, { Location: '/next' });
      response.end('done');
    };
    expect(await textOf(base)).toBe('done');
    expect(requests.map(({ headers }) => headers.cookie)).toEqual([undefined, undefined]);
  });
});

describe('the proxy of the environment', () => {
  beforeEach(() => {
    process.env.http_proxy = 'http://127.0.0.1:9';
  });
  afterEach(() => {
    delete process.env.http_proxy;
  });

  test('is not used', async () => {
    answer = (_request, response) => response.end('direct');
    expect(await textOf(base)).toBe('direct');
  });
});

describe('redirects', () => {
  test('are followed three times', async () => {
    answer = (request, response) => {
      const step = Number(request.url!.slice(1));
      if (step < 3) response.writeHead(302, { Location: `/${step + 1}` });
      response.end(`step ${step}`);
    };
    expect(await textOf(`${base}/0`)).toBe('step 3');
  });

  test.each([
    ['/caf\u00e9/Zo\u00eb.jpg?of=\u4e16', 'utf8', '/caf%C3%A9/Zo%C3%AB.jpg?of=%E4%B8%96'],
    ['/caf%C3%A9/%e4.jpg', 'utf8', '/caf%C3%A9/%e4.jpg'],
    ['/caf\u00e9.jpg', 'latin1', '/caf%E9.jpg'],
  ] as const)('to %s in %s lead to that path', async (location, encoding, path) => {
    answer = ({ url, socket }, response) => {
      if (url !== '/') response.end('picture');
      else {
        const head = `HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`;
        socket.end(Buffer.from(head, encoding));
      }
    };
    expect(await textOf(base)).toBe('picture');
    expect(requests.map(({ url }) => url)).toEqual(['/', path]);
  });

  test('to a name beyond ASCII lead to that host', async () => {
    names = { 'xn--bcher-kva.test': ['127.0.0.1'] };
    answer = ({ headers, socket }, response) => {
      const location = `http://b\u00fccher.test:${port}/`;
      if (headers.host === `xn--bcher-kva.test:${port}`) response.end('picture');
      else socket.end(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`);
    };
    expect(await textOf(base)).toBe('picture');
  });

  test('are not followed four times', async () => {
    answer = (request, response) => {
      const step = Number(request.url!.slice(1));
      response.writeHead(307, { Location: `/${step + 1}` }).end();
    };
    await expect(textOf(`${base}/0`)).rejects.toMatchObject({ reason: 'redirects' });
    expect(requests).toHaveLength(4);
  });

  test.each([
    'http://169.254.169.254/latest/meta-data/',
    '//169.254.169.254/',
    'http://0xa9fea9fe/',
    'http://[::ffff:a9fe:a9fe]/',
    'file:///etc/passwd',
    'http://[broken',
    'http://metadata.test/',
  ])('to %s are refused', async (location) => {
    names = { 'metadata.test': ['169.254.169.254'] };
    answer = (_request, response) => response.writeHead(301, { Location: location }).end();
    await expect(textOf(base)).rejects.toThrow(TargetRefused);
    expect(requests).toHaveLength(1);
  });

  test('to a URL with a user name or a password are refused, whatever its host', async () => {
    for (const location of ['http://user:password@127.0.0.1/', '//user@169.254.169.254/']) {
      answer = (_request, response) => response.writeHead(301, { Location: location }).end();
      await expect(textOf(base)).rejects.toMatchObject({ reason: 'credentials' });
    }
    expect(requests).toHaveLength(2);
  });

  test('without a target are returned like any other status', async () => {
    answer = (_request, response) => response.writeHead(302).end();
    await expect(textOf(base)).rejects.toMatchObject({ reason: 'status' });
  });
});

describe('refused targets', () => {
  test.each([
    [['169.254.169.254']],
    [['fe80::1']],
    [['::ffff:169.254.169.254']],
    [['93.184.216.34', '169.254.169.254']],
    [['0.0.0.0']],
  ])('a name that points to %j', async (addresses) => {
    names = { 'innocent.test': addresses };
    await expect(textOf('http://innocent.test/')).rejects.toThrow(TargetRefused);
  });

  test('all have the same text', async () => {
    names = { 'innocent.test': ['169.254.169.254'] };
    own = [{ host: '127.0.0.1', port }];
    const targets = ['http://innocent.test/', base, 'http://0/', 'ftp://a.test/', 'no url'];
    const texts = await Promise.all(
      targets.map((url) => textOf(url).catch((error: unknown) => (error as Error).message)),
    );
    expect(new Set(texts)).toEqual(
      new Set([
        'This target is not allowed: use an http or https URL whose host has no reserved address and does not belong to this installation.',
      ]),
    );
    expect(requests).toEqual([]);
  });

  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['localhost.test', '127.0.0.1'],
    ['127.0.0.1', '[::ffff:127.0.0.1]'],
    ['127.0.0.1', 'localhost.test'],
    ['127.0.0.1', '127.0.0.2'],
    ['::1', '127.0.0.1'],
    ['0.0.0.0', '127.0.0.1'],
    ['::', '127.0.0.1'],
  ])('a listener of the service at %s, called %s', async (host, called) => {
    names = { 'localhost.test': ['127.0.0.1'] };
    own = [{ host, port }];
    await expect(textOf(`http://${called}:${port}/`)).rejects.toThrow(TargetRefused);
    expect(requests).toEqual([]);
  });

  test('another port of this machine is allowed', async () => {
    own = [{ host: '127.0.0.1', port: port + 1 }];
    answer = (_request, response) => response.end('someone else');
    expect(await textOf(base)).toBe('someone else');
  });

  test('a store on another machine, by its name and by its address', async () => {
    names = { 'database.test': ['10.1.2.3'], 'alias.test': ['10.1.2.3'] };
    own = [{ host: 'database.test', port: 5432 }];
    for (const host of ['database.test', 'alias.test', '10.1.2.3']) {
      await expect(textOf(`http://${host}:5432/`)).rejects.toThrow(TargetRefused);
    }
  });

  test('a name that changes between check and use is resolved once, and the used address is checked', async () => {
    const answers = [['127.0.0.1'], ['169.254.169.254']];
    await using rebinding = new GuardedFetch({
      ownEndpoints: () => [],
      resolve: () => {
        const [address] = answers.shift()!;
        return Promise.resolve([{ address: address!, family: 4 }]);
      },
    });
    answer = (_request, response) => {
      response.setHeader('Connection', 'close');
      response.end('first');
    };
    const url = `http://rebinding.test:${port}/`;
    expect(new TextDecoder().decode(await rebinding.bytes(url, LIMITS))).toBe('first');
    expect(answers).toHaveLength(1);
    await expect(rebinding.bytes(url, LIMITS)).rejects.toThrow(TargetRefused);
    expect(requests).toHaveLength(1);
  });
});

describe('a check of a URL by its text', () => {
  const check = (url: string) => fetcher.check(url, 'private');

  test('refuses what a request would refuse without a lookup', async () => {
    names = { 'database.test': ['10.1.2.3'] };
    own = [
      { host: '0.0.0.0', port },
      { host: 'database.test', port: 5432 },
    ];
    const refused = [
      `${base}/hook`,
      `http://127.1:${port}/`,
      `http://[::1]:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
      'https://10.1.2.3:5432/',
      'http://DATABASE.test.:5432/',
      'http://169.254.169.254/',
      'ftp://a.test/',
      'http://user@a.test/',
      'no url',
    ];
    for (const url of refused) await expect(check(url)).rejects.toThrow(TargetRefused);
    expect(requests).toEqual([]);
  });

  test('looks up no name of a target, and passes what only a lookup could refuse', async () => {
    own = [
      { host: '127.0.0.1', port },
      { host: 'unknown.test', port: 5432 },
    ];
    await check(`http://localhost.test:${port}/`);
    expect(lookups).toEqual([]);
    await check(`http://127.0.0.1:${port + 1}/`);
    await check('http://10.1.2.3:5432/');
  });
});

describe('the public reach', () => {
  const PUBLIC: FetchLimits = { ...LIMITS, reach: 'public' };

  test.each(['127.0.0.1', 'near.test', '10.0.0.1', '[::1]', '[fd00::1]'])(
    'refuses %s as it refuses any other target',
    async (host) => {
      names = { 'near.test': ['93.184.216.34', '192.168.1.1'] };
      await expect(textOf(`http://${host}:${port}/`, PUBLIC)).rejects.toThrow(TargetRefused);
      expect(requests).toEqual([]);
    },
  );

  test('does not reuse a connection of the private reach', async () => {
    answer = (_request, response) => response.end('near');
    expect(await textOf(base)).toBe('near');
    await expect(textOf(base, PUBLIC)).rejects.toThrow(TargetRefused);
    expect(requests).toHaveLength(1);
  });
});

describe('size', () => {
  test('exactly the limit is accepted', async () => {
    answer = (_request, response) => response.end('x'.repeat(1000));
    expect(await textOf(base)).toHaveLength(1000);
  });

  test('an announced length over the limit', async () => {
    answer = (_request, response) => response.end('x'.repeat(1001));
    await expect(textOf(base)).rejects.toThrow(FetchTooLarge);
  });

  test('an unannounced length over the limit', async () => {
    answer = (_request, response) => {
      response.write('x'.repeat(600));
      setTimeout(() => response.write('x'.repeat(600)), 10);
    };
    await expect(textOf(base)).rejects.toThrow(FetchTooLarge);
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
  ])('a bomb in %s', async (encoding, encode) => {
    const bomb = encode(Buffer.alloc(500_000));
    expect(bomb.length).toBeLessThan(1000);
    answer = (_request, response) => {
      response.setHeader('Content-Encoding', encoding);
      response.end(bomb);
    };
    await expect(textOf(base)).rejects.toThrow(FetchTooLarge);
  });

  test('a body in gzip that decodes to nothing, but has no end, is too large', async () => {
    const empty = gzipSync('');
    answer = (_request, response) => {
      response.setHeader('Content-Encoding', 'gzip');
      for (let bytes = 0; bytes <= 1000; bytes += empty.length) response.write(empty);
    };
    await expect(textOf(base)).rejects.toThrow(FetchTooLarge);
  });
});

test('a body in too many tiny chunks is refused', async () => {
  answer = (_request, response) => {
    const send = () => {
      for (let chunks = 0; chunks < 1000; chunks++) response.write('x');
      if (!response.destroyed) setImmediate(send);
    };
    send();
  };
  const limits = { ...LIMITS, maxBytes: 1e9 };
  await expect(textOf(base, limits)).rejects.toThrow('too many tiny chunks');
});

describe('time', () => {
  const QUICK = { ...LIMITS, timeoutMs: 100 };

  test('headers that do not arrive', async () => {
    answer = () => undefined;
    await expect(textOf(base, QUICK)).rejects.toThrow(FetchTimeout);
  });

  test('a body that arrives slowly', async () => {
    answer = (_request, response) => {
      const timer = setInterval(() => response.write('x'), 20);
      response.once('close', () => clearInterval(timer));
    };
    await expect(textOf(base, QUICK)).rejects.toThrow(FetchTimeout);
  });

  test.each([
    ['the headers', () => undefined],
    ['the body', (_request, response) => response.write('x')],
  ] satisfies [string, RequestListener][])(
    'a connection on which %s did not arrive in time is not replaced',
    async (_what, listener) => {
      answer = listener;
      let connections = 0;
      server.on('connection', () => (connections += 1));
      for (let count = 1; count <= 3; count++) {
        const closed = new Promise<void>((resolve) => {
          server.once('connection', (socket) => socket.once('close', () => resolve()));
        });
        await expect(textOf(base, QUICK)).rejects.toThrow(FetchTimeout);
        await closed;
        // Another connection would be opened once the first one is closed.
        await delay(50);
        expect(connections).toBe(count);
      }
    },
  );

  test('redirects that together take too long', async () => {
    answer = (_request, response) =>
      setTimeout(() => response.writeHead(302, { Location: '/' }).end(), 60);
    await expect(textOf(base, QUICK)).rejects.toThrow(FetchTimeout);
  });

  test('a name that is not resolved', async () => {
    const lookup = Promise.withResolvers<never>();
    await using waiting = new GuardedFetch({
      ownEndpoints: () => [],
      resolve: () => lookup.promise,
    });
    await expect(waiting.bytes('http://slow.test/', QUICK)).rejects.toThrow(FetchTimeout);
    lookup.reject(new Error('no answer'));
  });

  test("the caller's signal ends it with the caller's reason", async () => {
    answer = () => undefined;
    const signal = AbortSignal.timeout(30);
    await expect(fetcher.bytes(base, { ...LIMITS, signal })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });
});

describe('failures', () => {
  test.each([404, 500, 204, 206])('status %i', async (status) => {
    answer = (_request, response) => response.writeHead(status).end();
    await expect(textOf(base)).rejects.toMatchObject({
      reason: 'status',
      message: `The target responded with status ${status}.`,
    });
  });

  test('a name that does not exist', async () => {
    await expect(textOf('http://nowhere.test/')).rejects.toMatchObject({ reason: 'unreachable' });
  });

  test('no process listens on the port', async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}/`;
    await expect(textOf(nowhere)).rejects.toMatchObject({ reason: 'unreachable' });
  });

  test.each([
    ['interim responses', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
    ['headers', 'HTTP/1.1 200 OK\r\n', 'a: b\r\n'],
  ])('%s without end', async (_of, start, part) => {
    answer = ({ socket }) => {
      socket.write(start);
      const go = () => {
        if (socket.destroyed) return;
        socket.write(part.repeat(1000));
        setImmediate(go);
      };
      go();
    };
    await expect(textOf(base)).rejects.toMatchObject({
      reason: 'unreachable',
      cause: { message: 'The head of the response is too large.' },
    });
  });

  test('the server does not speak HTTP', async () => {
    answer = (request) => request.socket.end('SSH-2.0-OpenSSH\r\n');
    await expect(textOf(base)).rejects.toThrow(FetchFailed);
  });

  test('a body that is cut off', async () => {
    answer = (request, response) => {
      response.writeHead(200, { 'Content-Length': '100' }).write('begun');
      setTimeout(() => request.socket.destroy(), 20);
    };
    await expect(textOf(base)).rejects.toMatchObject({ reason: 'broken_body' });
  });

  test.each(['zstd', 'gzip, gzip', 'unknown'])('the content encoding %s', async (encoding) => {
    answer = (_request, response) => {
      response.setHeader('Content-Encoding', encoding);
      response.end('x');
    };
    await expect(textOf(base)).rejects.toMatchObject({ reason: 'broken_body' });
  });

  test('invalid gzip', async () => {
    answer = (_request, response) => {
      response.setHeader('Content-Encoding', 'gzip');
      response.end('x');
    };
    await expect(textOf(base)).rejects.toMatchObject({ reason: 'broken_body' });
  });
});

describe('https', () => {
  const pem = readFileSync(join(import.meta.dirname, 'fixtures/secure-test.pem'), 'utf8');
  const usual = getCACertificates('default');
  let secure: Server;
  let securePort: number;

  beforeEach(async () => {
    secure = createSecureServer({ cert: pem, key: pem }, (_request, response) => {
      response.end('sealed');
    });
    secure.listen(0, '127.0.0.1');
    await once(secure, 'listening');
    securePort = (secure.address() as AddressInfo).port;
    names = { 'secure.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'] };
    setDefaultCACertificates([...usual, pem]);
  });

  afterEach(() => {
    setDefaultCACertificates(usual);
    secure.closeAllConnections();
    secure.close();
  });

  test('a certificate of the name is accepted', async () => {
    expect(await textOf(`https://secure.test:${securePort}/`)).toBe('sealed');
  });

  test('a certificate of another name is refused', async () => {
    const url = `https://other.test:${securePort}/`;
    await expect(textOf(url)).rejects.toMatchObject({ reason: 'unreachable' });
  });
});

describe('an opened answer', () => {
  const opening = { reach: 'private' as const, headers: {}, signal: new AbortController().signal };

  test('has its status and its body as it was sent', async () => {
    answer = (_request, response) => {
      response.writeHead(206, { 'Content-Encoding': 'gzip', 'X-Name': 'a' }).end(gzipSync('rest'));
    };
    const found = await fetcher.open(base, { ...opening, headers: { range: 'bytes=5-' } });
    expect(found).toMatchObject({ status: 206, headers: { 'x-name': 'a' } });
    const bytes = Buffer.concat(await Array.fromAsync(found.body));
    expect(gunzipSync(bytes).toString()).toBe('rest');
    expect(requests[0]!.headers).toMatchObject({ range: 'bytes=5-', 'user-agent': 'Sightline' });
    expect(requests[0]!.headers['accept-encoding']).toBeUndefined();
  });

  test('is checked after each redirect', async () => {
    answer = (_request, response) =>
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
    await expect(fetcher.open(base, opening)).rejects.toThrow(TargetRefused);
    own = [{ host: '127.0.0.1', port }];
    await expect(fetcher.open(base, opening)).rejects.toThrow(TargetRefused);
  });

  test('ends with the reason of an abort', async () => {
    const controller = new AbortController();
    const reason = new Error('the job was canceled');
    answer = () => controller.abort(reason);
    const aborted = fetcher.open(base, { ...opening, signal: controller.signal });
    await expect(aborted).rejects.toBe(reason);
  });

  test('fails if no server listens', async () => {
    const gone = `http://127.0.0.1:${await freePort()}`;
    await expect(fetcher.open(gone, opening)).rejects.toMatchObject({ reason: 'unreachable' });
  });
});
