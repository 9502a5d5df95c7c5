import type { RouteContract } from './define-contract.ts';
import { testBatchContract } from './detections/test-batch-contract.ts';
import { testImageContract } from './detections/test-image-contract.ts';
import { capabilitiesContract } from './discovery/capabilities-contract.ts';
import { docsContract } from './discovery/docs-contract.ts';
import { healthContract } from './discovery/health-contract.ts';
import { openapiContract } from './discovery/openapi-contract.ts';
import { verifyContract } from './matching/verify-contract.ts';

/** Every endpoint; the keys are the operation ids and the client's methods. */
export const API_CONTRACTS = {
  getHealth: healthContract,
  getCapabilities: capabilitiesContract,
  testImage: testImageContract,
  testBatch: testBatchContract,
  verifyFaces: verifyContract,
  getOpenapi: openapiContract,
  getDocs: docsContract,
} as const satisfies Record<string, RouteContract>;
