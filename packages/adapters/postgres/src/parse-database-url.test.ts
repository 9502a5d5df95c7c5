import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { InvalidDatabaseUrl } from './invalid-database-url.ts';
import { parseDatabaseUrl } from './parse-database-url.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-url-'));
  for (const name of ['ca', 'cert', 'key']) writeFileSync(join(folder, name), `the ${name}`);
});

afterAll(() => rmSync(folder, { recursive: true }));

const BASE = { host: 'db.example.org', port: 5432, user: 'owner', database: 'sightline' };

describe('parseDatabaseUrl', () => {
  test.each([
    ['postgres://owner@db.example.org/sightline', BASE],
    ['postgresql://owner@db.example.org:5433/sightline', { ...BASE, port: 5433 }],
    [
      'postgres://owner:a%40%3A%2F%3F%25b@db.example.org/sightline',
      { ...BASE, password: 'a@:/?%b' },
    ],
    ['postgres://owner:p,q@db.example.org/sightline', { ...BASE, password: 'p,q' }],
    ['postgres://owner@[::1]:5432/sightline', { ...BASE, host: '::1' }],
    ['postgres://owner@10.0.0.1/sightline?sslmode=disable', { ...BASE, host: '10.0.0.1' }],
    ['postgres://owner@/sightline?host=/run/pg&port=77', { ...BASE, host: '/run/pg', port: 77 }],
    ['postgres://a%40b@db.example.org/my%20rows', { ...BASE, user: 'a@b', database: 'my rows' }],
  ])('reads %s', (url, expected) => {
    expect(parseDatabaseUrl(url)).toEqual(expected);
  });

  test('accepts a password for the roles of the service', () => {
    const url = 'postgres://owner:first@db.example.org/sightline';
    const expected = { ...BASE, password: 'first', servicePassword: 'second' };
    expect(parseDatabaseUrl(url, 'second')).toEqual(expected);
  });

  test.each([
    ['sslmode=require', { verify: 'none' }],
    ['sslmode=require&sslrootcert=ca', { verify: 'issuer', ca: 'the ca' }],
    ['sslmode=verify-ca&sslrootcert=ca', { verify: 'issuer', ca: 'the ca' }],
    ['sslmode=verify-full', { verify: 'name' }],
    ['sslmode=verify-full&sslrootcert=system', { verify: 'name' }],
    [
      'sslmode=verify-full&sslrootcert=ca&sslcert=cert&sslkey=key',
      { verify: 'name', ca: 'the ca', cert: 'the cert', key: 'the key' },
    ],
  ])('reads what is said of TLS: %s', (words, ssl) => {
    const query = words.replaceAll(/=(ca|cert|key)(?=&|$)/g, `=${folder}/$1`);
    const { ssl: read } = parseDatabaseUrl(`postgres://owner@db.example.org/sightline?${query}`);
    expect(read).toEqual(ssl);
  });

  test.each([
    ['mysql://u:hidden@h/d', /does not begin with postgres/],
    ['postgres://u:hidden@/d', /names no host/],
    ['postgres://h/d', /names no user/],
    ['postgres://u:hidden@h', /names no database/],
    ['postgres://u:hidden@h/', /names no database/],
    ['postgres://u:hidden@h:99999/d', /cannot be parsed/],
    ['postgres://u:hidden@h/d?port=0', /has an invalid port/],
    ['postgres://u:hid/den@h/d', /cannot be parsed/],
    ['postgres://u:hidden@a,b/d', /lists several hosts/],
    ['postgres://u:hidden@a:1,b:2/d', /lists several hosts/],
    ['postgres://u:hidden@/d?host=a,b', /lists several hosts/],
    ['postgres://u:hidden@/d?host=a%2Cb', /lists several hosts/],
    ['postgres://u:not?hidden@h/d', /cannot be parsed/],
    [
      'postgres://u:hidden@h/d?sslmode=prefer',
      /has an unknown sslmode: use one of disable, require/,
    ],
    ['postgres://u:hidden@h/d?sslmode=verify-full?sslrootcert=/x', /has an unknown sslmode/],
    ['postgres://u:hidden@h/d?sslmode=verify-ca', /needs the file of a certificate authority/],
    ['postgres://u:hidden@h/d?sslmode=require&sslrootcert=/nowhere', /cannot be read \(ENOENT\)/],
    ['postgres://u:hidden@h/d?sslmod=require', /has the unknown parameter sslmod:/],
    ['postgres://u:hidden@h/d?options=-c%20role=x', /has the unknown parameter options/],
  ])('refuses %s in a sentence without the password', (url, sentence) => {
    expect(() => parseDatabaseUrl(url)).toThrow(InvalidDatabaseUrl);
    expect(() => parseDatabaseUrl(url)).toThrow(sentence);
    const error = (() => {
      try {
        return parseDatabaseUrl(url);
      } catch (refused) {
        return refused as Error;
      }
    })() as Error;
    expect(`${error.message} ${String(error.cause)}`).not.toMatch(/hidden|hid\/den/);
    expect(error.message).toMatch(/\.$/);
  });
});
