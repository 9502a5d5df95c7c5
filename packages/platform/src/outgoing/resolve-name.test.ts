import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { NameServer, type Reply } from './fixtures/name-server.ts';
import { createNameResolver } from './resolve-name.ts';

const HOSTS = `
127.0.0.1 localhost  # the loopback
::1 localhost ip6-loop
10.0.0.1 Camera.Lan camera
10.0.0.2 camera
no-address broken
# 10.0.0.3 commented
`;
const REPLIES: Readonly<Record<string, Reply>> = {
  'a.test': ['192.0.2.1', '192.0.2.2', '2001:db8::1'],
  'four.test': ['192.0.2.4'],
  'six.test': ['2001:db8::6'],
  'empty.test': [],
  'camera.test': ['192.0.2.9'],
  'short.first.test': ['192.0.2.11'],
  'short.second.test': ['192.0.2.12'],
  'only.second.test': ['192.0.2.13'],
  'deep.name': ['192.0.2.14'],
  'deep.name.first.test': ['192.0.2.15'],
  'void.first.test': [],
  'void.second.test': ['192.0.2.16'],
  'sick.first.test': 'servfail',
  'sick.second.test': ['192.0.2.17'],
  'shut.first.test': 'refused',
  'shut.second.test': ['192.0.2.18'],
  'half.test 4': ['192.0.2.19'],
  'half.test 6': 'servfail',
  root: ['192.0.2.20'],
};
const NAMES =
  'localhost LOCALHOST ip6-loop camera.lan camera broken commented a.test A.Test a.test. four.test six.test ' +
  'empty.test half.test camera.test short short. only deep.name deep.name. void sick shut root root. none none.test none.test.';

let folder: string;
const file = (name: string) => join(folder, name);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-names-'));
  await writeFile(file('hosts'), HOSTS);
});
afterEach(() => rm(folder, { recursive: true }));

/** Whether the system lets this process make a network and mounts of its own. */
const canIsolate =
  spawnSync('unshare', [
    '-rmn',
    'sh',
    '-c',
    'ip link set lo up && mount --bind /etc/hosts /etc/hosts',
  ]).status === 0;

(canIsolate ? describe : describe.skip)('as getaddrinfo finds them', () => {
  test.each([
    'nameserver 127.0.0.1',
    'nameserver 127.0.0.1\nsearch first.test second.test',
    'nameserver 127.0.0.1\nsearch wrong.test\ndomain first.test',
    'nameserver 127.0.0.1\nsearch first.test second.test.\noptions ndots:2 timeout:1',
    'nameserver 127.0.0.1\nsearch first.test second.test\noptions ndots:5\noptions ndots:0',
  ])('with %j', async (text) => {
    await writeFile(file('resolv.conf'), `${text}\n`);
    const script = join(import.meta.dirname, 'fixtures/compare-resolvers.ts');
    const isolated = [
      'ip link set lo up',
      `mount --bind ${file('hosts')} /etc/hosts`,
      `mount --bind ${file('resolv.conf')} /etc/resolv.conf`,
      'exec "$@"',
    ].join(' && ');
    const words = [
      process.execPath,
      script,
      JSON.stringify(NAMES.split(' ')),
      JSON.stringify(REPLIES),
    ];
    const run = spawnSync('unshare', ['-rmn', 'sh', '-c', isolated, 'sh', ...words], {
      encoding: 'utf8',
    });
    expect(run.stderr).toBe('');
    const found = JSON.parse(run.stdout) as { name: string; usual: string; ours: string }[];
    expect(found.map(({ name, ours }) => [name, ours])).toEqual(
      found.map(({ name, usual }) => [name, usual]),
    );
    expect(found.filter(({ usual }) => usual !== 'not found').length).toBeGreaterThan(10);
  });
});

describe('a lookup', () => {
  let server: NameServer;
  const signal = new AbortController().signal;

  afterEach(() => server[Symbol.asyncDispose]());

  async function resolver(replies: Readonly<Record<string, Reply>>, resolvConf = '') {
    server = await NameServer.open(replies);
    await writeFile(file('resolv.conf'), resolvConf);
    return createNameResolver({
      hosts: file('hosts'),
      resolvConf: file('resolv.conf'),
      servers: [server.address],
    });
  }

  test('of a name in the hosts file asks no server, and reads the file again after a change', async () => {
    const resolve = await resolver({});
    expect(await resolve('camera.LAN', signal)).toEqual([{ address: '10.0.0.1', family: 4 }]);
    await writeFile(file('hosts'), '10.0.0.77 camera.lan other\n');
    expect(await resolve('camera.lan', signal)).toEqual([{ address: '10.0.0.77', family: 4 }]);
    expect(server.queries).toEqual([]);
  });

  test('appends the domains of the search list in order', async () => {
    const search = 'search a.test b.test\noptions ndots:2';
    const resolve = await resolver({ 'x.y.b.test': ['192.0.2.1'] }, search);
    expect(await resolve('x.y', signal)).toEqual([{ address: '192.0.2.1', family: 4 }]);
    expect(new Set(server.queries.map((query) => query.split(' ')[0]))).toEqual(
      new Set(['x.y.a.test', 'x.y.b.test']),
    );
  });

  test('that no server answers ends as soon as it is aborted', async () => {
    const resolve = await resolver({ 'slow.test': 'silence' });
    const abort = new AbortController();
    const found = resolve('slow.test', abort.signal);
    while (server.queries.length < 2) await new Promise((next) => setImmediate(next));
    abort.abort(new Error('enough'));
    await expect(found).rejects.toThrow('enough');
  });

  test('of which one family is never answered has the addresses of the other', async () => {
    const replies: Readonly<Record<string, Reply>> = {
      'half.test 4': ['192.0.2.1'],
      'half.test 6': 'silence',
    };
    const resolve = await resolver(replies);
    expect(await resolve('half.test', signal)).toEqual([{ address: '192.0.2.1', family: 4 }]);
  });

  test('stops at a server that does not answer, and does not try the next domain', async () => {
    const replies: Readonly<Record<string, Reply>> = { 'x.a.test': 'silence', x: ['192.0.2.1'] };
    const options = 'search a.test\noptions timeout:1 attempts:1';
    const resolve = await resolver(replies, options);
    await expect(resolve('x', signal)).rejects.toMatchObject({ code: 'ETIMEOUT' });
  });
});
