import { expect, test } from '@jest/globals';
import { ownEndpoints } from './own-endpoints.ts';

const database = { port: 5432, user: 'owner', database: 'sightline' };

test('are the addresses of all external services, with default ports', () => {
  const urls = ['https://s3.example.org', 'http://[::1]:6333', 'http://a:8081', 'http://b'].map(
    (url) => new URL(url),
  );
  expect(ownEndpoints(urls, { ...database, host: 'db.example.org' })).toEqual([
    { host: 's3.example.org', port: 443 },
    { host: '::1', port: 6333 },
    { host: 'a', port: 8081 },
    { host: 'b', port: 80 },
    { host: 'db.example.org', port: 5432 },
  ]);
});

test('are none if everything is embedded or behind a Unix socket', () => {
  expect(ownEndpoints([undefined], { ...database, host: '/run/postgres' })).toEqual([]);
  expect(ownEndpoints([], null)).toEqual([]);
});
