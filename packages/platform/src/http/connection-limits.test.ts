import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { TrustedProxies } from './client-address.ts';
import { type ClosedFor, ConnectionLimits } from './connection-limits.ts';

class FakeSocket extends EventEmitter {
  readonly remoteAddress: string | undefined;
  destroyed = false;

  constructor(remoteAddress: string | undefined) {
    super();
    this.remoteAddress = remoteAddress;
  }

  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    // Node emits the event later, too.
    setImmediate(() => this.emit('close'));
  }
}

function limits(max: number, proxies: readonly string[] = []) {
  const closed: ClosedFor[] = [];
  let open = 0;
  const connections = new ConnectionLimits({
    max,
    trusted: new TrustedProxies(proxies),
    observer: { open: (count) => void (open = count), closed: (reason) => closed.push(reason) },
  });
  const accept = (address: string | undefined) => {
    const socket = new FakeSocket(address);
    connections.accept(socket as unknown as Socket);
    return socket as unknown as Socket & FakeSocket;
  };
  return { connections, accept, closed, open: () => open };
}

test('one address gets a third, and each further connection replaces its oldest idle one', () => {
  const { accept, closed, open } = limits(30);
  const greedy = Array.from({ length: 25 }, () => accept('192.0.2.1'));
  expect(open()).toBe(10);
  expect(closed).toEqual(Array(15).fill('idle'));
  expect(greedy.map(({ destroyed }) => destroyed)).toEqual([
    ...Array<boolean>(15).fill(true),
    ...Array<boolean>(10).fill(false),
  ]);
  expect(accept('192.0.2.2').destroyed).toBe(false);
});

test('connections with a request in progress are not replaced', () => {
  const { accept, closed, connections } = limits(30);
  const busy = Array.from({ length: 10 }, () => accept('192.0.2.1'));
  for (const socket of busy) connections.work(socket);
  expect(accept('192.0.2.1').destroyed).toBe(true);
  connections.wait(busy[3]!);
  connections.wait(busy[1]!);
  expect(accept('192.0.2.1').destroyed).toBe(false);
  expect(busy.filter(({ destroyed }) => destroyed)).toEqual([busy[3]]);
  expect(closed).toEqual(['over_share', 'idle']);
});

test('if all places are taken, an address without connections replaces the oldest idle one', () => {
  const { accept, closed } = limits(5);
  const others = [1, 2, 3, 4, 5].map((number) => accept(`192.0.2.${number}`));
  expect(accept('198.51.100.1').destroyed).toBe(false);
  expect(others.map(({ destroyed }) => destroyed)).toEqual([true, false, false, false, false]);
  expect(closed).toEqual(['idle']);
});

test('if all places are taken, an address cannot replace the connections of others by more of its own', () => {
  const { accept, closed, connections } = limits(5);
  const others = [1, 2, 3, 4, 5].map((number) => accept(`192.0.2.${number}`));
  connections.work(others[0]!);
  expect(accept('192.0.2.1').destroyed).toBe(true);
  expect(others.some(({ destroyed }) => destroyed)).toBe(false);
  expect(closed).toEqual(['full']);
});

test('IPv6 addresses of one network are one client, and mapped IPv4 addresses are IPv4', () => {
  const { accept } = limits(3);
  const first = accept('2001:db8::1');
  accept('2001:db8::2');
  expect(first.destroyed).toBe(true);
  const mapped = accept('::ffff:192.0.2.1');
  accept('192.0.2.1');
  expect(mapped.destroyed).toBe(true);
});

test('connections of trusted proxies are not limited by address, and keep their places', () => {
  const { accept, closed } = limits(6, ['10.0.0.0/8']);
  const proxy = Array.from({ length: 5 }, () => accept('::ffff:10.1.2.3'));
  const client = accept('192.0.2.1');
  accept('10.1.2.3');
  expect(client.destroyed).toBe(true);
  expect(accept('10.1.2.3').destroyed).toBe(true);
  expect(accept('192.0.2.2').destroyed).toBe(true);
  expect(proxy.some(({ destroyed }) => destroyed)).toBe(false);
  expect(closed).toEqual(['idle', 'full', 'full']);
});

test('a closed connection gives its place back once', async () => {
  const { accept, connections, open } = limits(6, ['10.0.0.1']);
  for (let round = 0; round < 20; round++) {
    const sockets = ['192.0.2.1', '192.0.2.1', '192.0.2.1', '10.0.0.1'].map(accept);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => setImmediate(resolve));
    for (const socket of sockets) connections.wait(socket);
    expect(open()).toBe(0);
  }
  expect(accept('192.0.2.1').destroyed).toBe(false);
});

test('a client that has already disconnected takes no place', () => {
  const { accept, open } = limits(3);
  expect(accept(undefined).destroyed).toBe(true);
  expect(open()).toBe(0);
});
