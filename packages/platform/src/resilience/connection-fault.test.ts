import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import { expect, test } from '@jest/globals';
import { connectionFault } from './connection-fault.ts';

async function codeOfTls(port: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' });
  const error = await new Promise<NodeJS.ErrnoException>((resolve) =>
    socket.once('error', resolve),
  );
  return String(error.code);
}

test('a port without a server is unreachable', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  expect(connectionFault(await codeOfTls(port))).toBe('unreachable');
});

test('a server without TLS is recognized', async () => {
  await using server = createServer((socket) => {
    socket
      .on('error', () => undefined)
      .resume()
      .end('HTTP/1.1 400 Bad Request\r\n\r\n');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  expect(connectionFault(await codeOfTls((server.address() as AddressInfo).port))).toBe('no_tls');
});

test.each([
  ['UND_ERR_CONNECT_TIMEOUT', 'unreachable'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'untrusted'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'untrusted'],
  ['CERT_HAS_EXPIRED', 'untrusted'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'other_host'],
  ['AccessDenied', null],
])('%s is %s', (code, fault) => {
  expect(connectionFault(code)).toBe(fault);
});
