import { expect, test } from '@jest/globals';
import { parseConfig } from '@sightline/platform/config/parse-config';
import { type ExternalNeed, requireExternal } from './require-external.ts';

const ALL = {
  SIGHTLINE_DATABASE_URL: 'postgres://owner:hidden@db.example.org/sightline',
  SIGHTLINE_S3_ENDPOINT: 'https://s3.example.org',
  SIGHTLINE_QDRANT_URL: 'http://[::1]:6333',
  SIGHTLINE_INFERENCE_URL: 'http://a:8081,http://b:8082',
};
const ALL_NEEDS = ['media', 'vectors', 'inference'] as const;

function requireIn(environment: Record<string, string>, needs: readonly ExternalNeed[]): void {
  requireExternal(
    { name: 'The API', needs },
    parseConfig(environment, ['database', ...needs]).config,
  );
}

test('a process starts if the configuration names every service that it needs', () => {
  expect(() => requireIn(ALL, ALL_NEEDS)).not.toThrow();
  expect(() => requireIn({ SIGHTLINE_DATABASE_URL: ALL.SIGHTLINE_DATABASE_URL }, [])).not.toThrow();
  expect(() => requireIn({ SIGHTLINE_DATABASE_URL_FILE: '/run/url' }, [])).not.toThrow();
});

test('the error names every variable that is missing, in one sentence', () => {
  expect(() => requireIn({}, ALL_NEEDS)).toThrow(
    /^The API needs external services: set SIGHTLINE_DATABASE_URL, SIGHTLINE_S3_ENDPOINT, SIGHTLINE_QDRANT_URL and SIGHTLINE_INFERENCE_URL\. .*\.$/,
  );
  expect(() => requireIn({ ...ALL, SIGHTLINE_QDRANT_URL: '' }, ALL_NEEDS)).toThrow(
    /^The API needs external services: set SIGHTLINE_QDRANT_URL\. /,
  );
});

test('a process without inference needs no settings of inference', () => {
  expect(() => requireIn({}, ['media'])).toThrow(
    /: set SIGHTLINE_DATABASE_URL and SIGHTLINE_S3_ENDPOINT\. /,
  );
});
