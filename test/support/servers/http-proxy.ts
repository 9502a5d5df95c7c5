import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** An HTTP proxy that resolves every name to this machine, and records where it was asked to connect. */
export class HttpProxy implements AsyncDisposable {
  /** The targets of requests: `host:port` of a tunnel, or the URL of a plain request. */
  readonly asked: string[] = [];
  /** The status with which it refuses tunnels; 200 opens them. */
  status = 200;
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();

  private constructor() {
    this.#server = createServer((from, answer) => this.#forward(from, answer));
    this.#server.on('connect', (from: IncomingMessage, socket: Duplex) =>
      this.#tunnel(from.url!, socket),
    );
    this.#server.on('connection', (socket: Socket) => this.#keep(socket));
  }

  static async start(): Promise<HttpProxy> {
    const proxy = new HttpProxy();
    await once(proxy.#server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #keep(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
  }

  #forward(from: IncomingMessage, answer: ServerResponse): void {
    this.asked.push(from.url!);
    const { port, pathname, search } = new URL(from.url!);
    const { method, headers } = from;
    const onward = request(
      { host: '127.0.0.1', port, path: pathname + search, method, headers },
      (response) => {
        answer.writeHead(response.statusCode!, response.headers);
        response.pipe(answer);
      },
    );
    from.pipe(onward);
  }

  #tunnel(target: string, socket: Duplex): void {
    this.asked.push(target);
    if (this.status !== 200) {
      socket.end(`HTTP/1.1 ${this.status} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const onward = connect(Number(target.split(':').at(-1)), '127.0.0.1');
    this.#keep(onward);
    onward.on('connect', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    socket.on('close', () => onward.destroy());
    onward.on('close', () => socket.destroy());
  }
}
