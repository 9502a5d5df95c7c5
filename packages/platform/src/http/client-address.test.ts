import { expect, test } from '@jest/globals';
import { TrustedProxies } from './client-address.ts';

const TRUSTED = new TrustedProxies(['10.0.0.0/8', '192.0.2.7', 'fd00::/8']);

function clientOf(remoteAddress: string, forwarded?: string): string | null {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return TRUSTED.clientOf({ socket: { remoteAddress }, headers });
}

test.each([
  ['one proxy', '10.1.2.3', '198.51.100.1', '198.51.100.1'],
  ['a mapped address of the proxy', '::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
  ['entries of the client', '192.0.2.7', '1.1.1.1, 2.2.2.2, 198.51.100.1', '198.51.100.1'],
  ['several proxies', 'fd00::1', '1.1.1.1,198.51.100.1 , 10.9.9.9', '198.51.100.1'],
  ['a port', '10.1.2.3', '198.51.100.1:5678', '198.51.100.1'],
  ['an IPv6 address', '10.1.2.3', '2001:DB8::1', '2001:db8:0:0:0:0:0:1'],
  ['an IPv6 address with a port', '10.1.2.3', '[2001:db8::1]:5678', '2001:db8:0:0:0:0:0:1'],
])(
  'the last entry that is no trusted proxy is the client: %s',
  (_, ...[peer, forwarded, client]) => {
    expect(clientOf(peer, forwarded)).toBe(client);
  },
);

test.each([
  ['a peer that is no trusted proxy', '192.0.2.8', '198.51.100.1'],
  ['no header', '10.1.2.3', undefined],
  ['no address', '10.1.2.3', '198.51.100.1, unknown'],
  ['only proxies', '10.1.2.3', '10.4.5.6'],
  ['an unknown peer', '', '198.51.100.1'],
])('no client: %s', (_, peer, forwarded) => {
  expect(clientOf(peer, forwarded)).toBeNull();
});
