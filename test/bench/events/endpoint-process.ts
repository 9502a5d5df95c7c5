import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/*
 * A webhook endpoint in a process of its own. It sends its port to its parent, and the arrival time of each
 * message with the id of the message's identity.
 */

/** The process reports arrivals in batches, because it shares the cores with its parent. */
const REPORT_MS = 100;

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
}, REPORT_MS);
process.on('disconnect', () => process.exit());
