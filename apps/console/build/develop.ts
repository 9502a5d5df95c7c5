import { parseArgs } from 'node:util';
import { createServer } from 'vite';
import { consoleConfig } from './console-config.ts';

/** Starts Vite's server of the console before a running API, which gets all requests outside the console. */
const { values } = parseArgs({
  options: {
    api: { type: 'string', default: 'http://127.0.0.1:8080' },
    port: { type: 'string', default: '5173' },
  },
});
const server = await createServer({
  ...consoleConfig(true),
  logLevel: 'info',
  server: {
    host: '127.0.0.1',
    port: Number(values.port),
    strictPort: true,
    // The service honors cookies only on requests from a page of its own, so the proxy keeps the browser's host.
    proxy: { '^/(?!console/)': { target: values.api, changeOrigin: false } },
  },
});
await server.listen();
server.printUrls();
