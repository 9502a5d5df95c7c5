import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/*
 * An endpoint of webhooks in a process of its own. It tells its parent where it listens, and when each message
 * has come, by the identity that the message names.
 */

/** Messages are told in groups: the parent shares the cores. */
const TELL_MS = 100;

let arrivals: [identityId: number, at: number][] = [];

const server = createServer((request, response) => {
  void buffer(request).then((body) => {
    const { data } = JSON.parse(body.toString()) as { data: { identity_id: number } };
    arrivals.push([data.identity_id, performance.timeOrigin + performance.now()]);
    response.writeHead(204).end();
  });
});
server.listen(0, '127.0.0.1', () => {
  process.send!({ port: (server.address() as AddressInfo).port });
});
setInterval(() => {
  if (arrivals.length > 0) process.send!({ arrivals });
  arrivals = [];
}, TELL_MS);
process.on('disconnect', () => process.exit());
