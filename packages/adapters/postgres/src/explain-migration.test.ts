import { expect, test } from '@jest/globals';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import pg from 'pg';
import { explainMigration } from './explain-migration.ts';
import { SchemaMismatch } from './schema-mismatch.ts';

const connection = { host: 'h', port: 5432, user: 'owner', database: 'rows', password: 'hidden' };

function serverError(code: string, message: string): Error {
  return Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code });
}

test.each([
  [
    '0A000',
    'extension "pg_trgm" is not available',
    /pg_trgm cannot be created .*install the contrib/,
  ],
  ['42501', 'permission denied to create extension "pg_trgm"', /let owner create the extension/],
  ['42501', 'permission denied to create extension "btree_gin"', /btree_gin cannot be created/],
  ['42501', 'permission denied to create role', /give the user CREATEROLE/],
  ['42501', 'must be able to SET ROLE "sightline_platform"', /WITH ADMIN TRUE/],
  [
    '42704',
    'collation "pg_unicode_fast" for encoding "SQL_ASCII" does not exist',
    /database rows does not have the encoding UTF8/,
  ],
  ['42501', 'permission denied for schema public', /owner may not change the schema .* rows/],
])('says in a sentence what the owner lacks: %s %s', (code, message, sentence) => {
  const wrapped = new Error('Failed query: CREATE ...', { cause: serverError(code, message) });
  const said = explainMigration(wrapped, connection);
  expect(said).toBeInstanceOf(SchemaMismatch);
  expect((said as Error).message).toMatch(sentence);
});

test('passes defects on, and reports a server that shuts down as unavailable', () => {
  const defect = serverError('42P07', 'relation "detections" already exists');
  expect(explainMigration(defect, connection)).toBe(defect);
  const stopped = explainMigration(serverError('57P01', 'terminating'), connection);
  expect(stopped).toBeInstanceOf(StoreUnavailable);
});
