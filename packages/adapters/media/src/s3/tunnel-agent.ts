import { Agent, type AgentOptions, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { SilentStore } from './s3-error.ts';

interface TunnelOptions extends AgentOptions {
  /** The URL of the proxy. */
  readonly proxy: string;
  /** The timeout for connecting to the proxy, the tunnel and the TLS handshake at its end together, in ms. */
  readonly timeoutMs: number;
}

type Connected = NonNullable<Parameters<Agent['createConnection']>[1]>;

/**
 * Opens connections through tunnels of a proxy within a timeout. A request gets its socket only after the TLS handshake in
 * the tunnel, so until then neither the timeouts of the request apply, nor does its `destroy` reach the connection.
 */
export class TunnelAgent extends Agent {
  readonly #timeoutMs: number;

  constructor({ proxy, timeoutMs, ...options }: TunnelOptions) {
    super({ ...options, proxyEnv: { HTTPS_PROXY: proxy } });
    this.#timeoutMs = timeoutMs;
  }

  override createConnection(
    options: RequestOptions,
    connected: Connected,
  ): Duplex | null | undefined {
    const timer = setTimeout(() => {
      connected(new SilentStore(), socket!);
      socket?.destroy();
    }, this.#timeoutMs);
    const socket = super.createConnection(options, (error, made) => {
      clearTimeout(timer);
      connected(error, made);
    });
    return socket;
  }
}
