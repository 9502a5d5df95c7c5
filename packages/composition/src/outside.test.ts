import { describe, expect, test } from '@jest/globals';
import { parseConfig } from '@sightline/platform/config/parse-config';
import { readInferenceSettings } from '@sightline/platform/config/read-inference-settings';
import { ownEndpoints } from './own-endpoints.ts';
import { requireOutside } from './require-outside.ts';
import { readStoreSettings } from './store-settings.ts';

const ALL = {
  SIGHTLINE_DATABASE_URL: 'postgres://owner:hidden@db.example.org/sightline',
  SIGHTLINE_S3_ENDPOINT: 'https://s3.example.org',
  SIGHTLINE_S3_ACCESS_KEY: 'reader',
  SIGHTLINE_S3_SECRET_KEY: 'hidden',
  SIGHTLINE_QDRANT_URL: 'http://[::1]:6333',
  SIGHTLINE_INFERENCE_URL: 'http://a:8081,http://b:8082',
};

describe('a process that keeps nothing itself', () => {
  const requireIn = (environment: Record<string, string>) =>
    requireOutside('The API', parseConfig(environment).config);

  test('is told where everything is', () => {
    expect(() => requireIn(ALL)).not.toThrow();
  });

  test('names all that it is not told, in one sentence', () => {
    expect(() => requireIn({})).toThrow(
      /^The API keeps nothing itself and needs SIGHTLINE_DATABASE_URL, SIGHTLINE_S3_ENDPOINT, SIGHTLINE_QDRANT_URL and SIGHTLINE_INFERENCE_URL; .*\.$/,
    );
    expect(() => requireIn({ ...ALL, SIGHTLINE_QDRANT_URL: '' })).toThrow(
      /^The API keeps nothing itself and needs SIGHTLINE_QDRANT_URL; /,
    );
  });
});

describe('the places where no image is fetched from', () => {
  const endpointsOf = (environment: Record<string, string>, host: string | null) => {
    const { config } = parseConfig(environment);
    const owner = { port: 5432, user: 'owner', database: 'sightline' };
    return ownEndpoints(readStoreSettings(config), {
      database: host === null ? null : { host, ...owner },
      inference: readInferenceSettings(config),
    });
  };

  test('are those of all stores and of inference', () => {
    expect(endpointsOf(ALL, 'db.example.org')).toEqual([
      { host: 's3.example.org', port: 443 },
      { host: '::1', port: 6333 },
      { host: 'a', port: 8081 },
      { host: 'b', port: 8082 },
      { host: 'db.example.org', port: 5432 },
    ]);
  });

  test('are none where everything is in the process', () => {
    expect(endpointsOf({}, '/run/postgres')).toEqual([]);
    expect(endpointsOf({}, null)).toEqual([]);
  });
});
