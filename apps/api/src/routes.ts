import type { Route } from './http/define-route.ts';
import { getCapabilities } from './routes/get-capabilities.ts';
import { getDocs } from './routes/get-docs.ts';
import { getHealth } from './routes/get-health.ts';
import { getOpenapi } from './routes/get-openapi.ts';
import { postTestBatch } from './routes/post-test-batch.ts';
import { postTest } from './routes/post-test.ts';
import { postVerify } from './routes/post-verify.ts';

/** Every endpoint of the API. */
export const ROUTES: readonly Route[] = [
  getHealth,
  getCapabilities,
  postTest,
  postTestBatch,
  postVerify,
  getOpenapi,
  getDocs,
];
