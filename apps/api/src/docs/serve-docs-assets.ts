import { Router, static as serveStatic } from 'express';
import swaggerFolder from 'swagger-ui-dist/absolute-path.js';
import { DOCS_SCRIPT } from './docs-page.ts';

const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];
const ONE_HOUR_MS = 3_600_000;

/** The files that the page at /docs loads; nothing else of the package is shown. */
export function serveDocsAssets(): Router {
  const serve = serveStatic(swaggerFolder(), { index: false, maxAge: ONE_HOUR_MS });
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/docs/start.js', (_request, response) => {
    response.type('text/javascript').send(DOCS_SCRIPT);
  });
  for (const asset of ASSETS) {
    router.get(`/docs/${asset}`, (request, response, next) => {
      request.url = `/${asset}`;
      void serve(request, response, next);
    });
  }
  return router;
}
