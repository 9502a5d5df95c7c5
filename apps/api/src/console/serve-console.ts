import { extname } from 'node:path';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { refuseMethod } from '../http/refuse-method.ts';
import { type Coding, type ConsoleFile, readBuiltConsole } from './built-console.ts';
import { consolePolicy } from './console-policy.ts';

/** The path below which the console lies. The build writes the same path into the addresses of its files. */
const BASE = '/console';
/** The build names the files in this folder by the digest of their content. */
const HASHED = '/assets/';
const UNCHANGING = 'public, max-age=31536000, immutable';

const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/**
 * Serves a built console below `/console/`: its files, and its one page for each path whose last part has no dot.
 * Browsers that ask for `/` are sent there.
 *
 * @param folder what the build of apps/console wrote
 * @throws StartError if the folder has no console
 */
export function serveConsole(folder: string): RequestHandler {
  const { files, page, styleHashes } = readBuiltConsole(folder);
  const pageHeaders = {
    ...ISOLATION,
    'Content-Security-Policy': consolePolicy(styleHashes),
    'Permissions-Policy': 'camera=(self), microphone=(), geolocation=()',
    'Cache-Control': 'no-cache',
  };
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/', sendBrowsers);
  router.get(BASE, (_request, response) => response.redirect(308, `${BASE}/`));
  router
    .route(`${BASE}/{*path}`)
    .get((request, response, next) => {
      const name = request.path.slice(BASE.length);
      const file = files.get(name);
      if (file !== undefined && file !== page) {
        const headers = {
          ...ISOLATION,
          'Cache-Control': name.startsWith(HASHED) ? UNCHANGING : 'no-cache',
        };
        send(request, response, { file, headers });
      } else if (extname(name) === '') {
        send(request, response, { file: page, headers: pageHeaders });
      } else {
        next('router');
      }
    })
    .all(refuseMethod(['GET']));
  return router;
}

const sendBrowsers: RequestHandler = (request, response, next) => {
  response.vary('Accept');
  if (!/\btext\/html\b/.test(request.headers.accept ?? '')) {
    next();
    return;
  }
  response.redirect(303, `${BASE}/`);
};

interface Answer {
  readonly file: ConsoleFile;
  readonly headers: Readonly<Record<string, string>>;
}

function send(request: Request, response: Response, { file, headers }: Answer): void {
  // A page of another origin has no use for these files, so the header for callers of the API is left out.
  response.removeHeader('Access-Control-Allow-Origin');
  response.vary('Accept-Encoding');
  const coding = request.acceptsEncodings(...Object.keys(file.copies));
  const copy = coding === false ? undefined : file.copies[coding as Coding];
  response.set({ ...headers, ETag: file.etag });
  if (copy !== undefined) response.set('Content-Encoding', coding as Coding);
  response.type(extname(file.path));
  // Without `dotfiles`, express would send nothing, because the build may lie in a folder with a name like `.cache`.
  response.sendFile(copy ?? file.path, {
    dotfiles: 'allow',
    cacheControl: false,
    acceptRanges: false,
  });
}
