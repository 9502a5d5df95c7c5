import { describe, expect, test } from '@jest/globals';
import { DomainError } from '@sightline/core/domain-error';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import pg from 'pg';
import { DrizzleQueryError } from '../drizzle.ts';
import { lostAgainstAnother, toStoreFailure, toWriterFailure } from './store-failure.ts';

describe('toStoreFailure', () => {
  test.each([
    ['too many connections', '53300'],
    ['out of shared memory', '53200'],
    ['the server stops', '57P01'],
    ['the server starts', '57P03'],
    ['a time limit', '57014'],
    ['an idle transaction', '25P03'],
    ['a transaction that took too long', '25P04'],
    ['a lost connection', '08006'],
    ['a file of the server', '58030'],
    ['a wrong password', '28P01'],
    ['no such database', '3D000'],
  ])('says that the store is unavailable: %s', (_, code) => {
    const failure = toStoreFailure(serverError(code, 'relation "secret" of /var/lib'));
    expect(failure).toBeInstanceOf(StoreUnavailable);
    expect((failure as Error).message).toBe(
      'The database does not answer at the moment; try again.',
    );
  });

  test('reports a full disk', () => {
    const failure = toStoreFailure(serverError('53100', 'could not extend file'));
    expect(failure).toBeInstanceOf(StoreUnavailable);
    expect((failure as Error).message).toContain('no space left');
  });

  test.each([
    ['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:5432'],
    ['ECONNRESET', 'read ECONNRESET'],
    ['ENOENT', 'connect ENOENT /run/.s.PGSQL.5432'],
    [undefined, 'Connection terminated unexpectedly'],
    [undefined, 'timeout exceeded when trying to connect'],
  ])('says so of what the driver says: %s %s', (code, message) => {
    const failure = toStoreFailure(Object.assign(new Error(message), { code }));
    expect(failure).toBeInstanceOf(StoreUnavailable);
    expect((failure as Error).message).not.toContain(message);
  });

  test('passes defects on, without the query that the query builder adds', () => {
    const defect = serverError('42P01', 'relation "nothing" does not exist');
    expect(toStoreFailure(defect)).toBe(defect);
    expect(toStoreFailure(new Error('Failed query: select ...', { cause: defect }))).toBe(defect);
    const typeError = Object.assign(new TypeError('x is undefined'), {
      code: 'ERR_INVALID_ARG_TYPE',
    });
    expect(toStoreFailure(typeError)).toBe(typeError);
    const failed = new DrizzleQueryError('select $1', ['SECRET'], typeError);
    expect(toStoreFailure(failed)).toBe(typeError);
    expect(toStoreFailure(new DrizzleQueryError('select $1', ['SECRET']))).toEqual(
      new Error('A database query failed.'),
    );
  });

  test('passes domain errors on, whatever their cause', () => {
    class Refused extends DomainError {
      readonly code = 'refused';
    }
    const refused = new Refused('No.', {}, { cause: serverError('57014', 'canceled') });
    expect(toStoreFailure(refused)).toBe(refused);
  });

  test('reports a read-only database as unavailable only to writers', () => {
    const readOnly = serverError('25006', 'cannot execute INSERT in a read-only transaction');
    expect(toWriterFailure(readOnly)).toBeInstanceOf(StoreUnavailable);
    expect(toStoreFailure(readOnly)).toBe(readOnly);
  });
});

test('a transaction that lost a conflict may be retried', () => {
  expect(lostAgainstAnother(serverError('40P01', 'deadlock detected'))).toBe(true);
  expect(lostAgainstAnother(new Error('Failed', { cause: serverError('40001', '') }))).toBe(true);
  expect(lostAgainstAnother(serverError('23505', 'duplicate key'))).toBe(false);
});

function serverError(code: string, message: string): Error {
  return Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code });
}
