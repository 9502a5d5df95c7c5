import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Download, DownloadObserver } from '../download-observer.ts';
import type { ModelFile, ModelSource } from '../model-file.ts';
import type { OpenUrl } from '../sources/read-url.ts';

/** Incompressible bytes, more than fit into one read or packet. */
export const CONTENT = Buffer.concat(
  Array.from({ length: 8192 }, (_, index) => createHash('sha256').update(`${index}`).digest()),
);

export function fileFrom(...sources: readonly ModelSource[]): ModelFile {
  const sha256 = createHash('sha256').update(CONTENT).digest('hex');
  return { name: 'model.onnx', sha256, bytes: CONTENT.length, sources };
}

export function at(path: string): ModelSource {
  return { url: `https://models.test/${path}` };
}

export interface FileServer extends AsyncDisposable {
  readonly port: number;
  /** Replaces `https.get`: sends requests for any host to this server. */
  readonly openUrl: OpenUrl;
  /** The requested paths. */
  readonly requested: readonly string[];
}

/** Serves listeners by path; other paths return 404. */
export async function serveFiles(answers: Record<string, RequestListener>): Promise<FileServer> {
  const requested: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url!.slice(1);
    requested.push(path);
    const answer = answers[path];
    if (answer === undefined) response.writeHead(404).end();
    else answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    requested,
    openUrl: ({ pathname }, options) => get(`http://127.0.0.1:${port}${pathname}`, options),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Records each event of a download as a line. */
export class DownloadRecorder implements DownloadObserver {
  readonly lines: string[] = [];
  readonly received: number[] = [];

  started({ source }: Download): void {
    this.lines.push(`started ${source}`);
  }

  progressed(_download: Download, received: number): void {
    this.received.push(received);
  }

  finished({ source }: Download): void {
    this.lines.push(`finished ${source}`);
  }

  failed({ source }: Download, reason: string): void {
    this.lines.push(`failed ${source}: ${reason}`);
  }
}
