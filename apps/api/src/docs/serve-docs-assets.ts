import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Router } from 'express';
import swaggerFolder from 'swagger-ui-dist/absolute-path.js';

const ONE_HOUR_MS = 3_600_000;

/** The files that the page at /docs loads. Other files of Swagger UI's package are not served. */
const ASSETS: Readonly<Record<string, string>> = {
  '/docs/start.js': fileURLToPath(new URL('./start.js', import.meta.url)),
  '/docs/swagger-ui.css': join(swaggerFolder(), 'swagger-ui.css'),
  '/docs/swagger-ui-bundle.js': join(swaggerFolder(), 'swagger-ui-bundle.js'),
  '/docs/favicon-32x32.png': join(swaggerFolder(), 'favicon-32x32.png'),
};

export function serveDocsAssets(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const [path, file] of Object.entries(ASSETS)) {
    router.get(path, (_request, response) => {
      // Without `dotfiles`, express would send nothing if the project lies in a folder with a name like `.sightline`.
      response.removeHeader('Cache-Control');
      response.sendFile(file, { maxAge: ONE_HOUR_MS, dotfiles: 'allow' });
    });
  }
  return router;
}
