import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '@sightline/test/support/fixtures/temporary-folder';
import { parseConfig } from './parse-config.ts';
import { readKafkaSettings } from './read-kafka-settings.ts';
import { ALL_GROUPS } from './variable-groups.ts';

const brokers = { SIGHTLINE_KAFKA_BROKERS: 'one:9092,two:9093' };
const read = (environment: Record<string, string>) =>
  readKafkaSettings(parseConfig(environment, ALL_GROUPS).config);

test('without brokers there is no Kafka, whatever else is set', () => {
  expect(read({ SIGHTLINE_KAFKA_TOPIC: 'events', SIGHTLINE_KAFKA_USERNAME: 'me' })).toBeNull();
});

test('brokers alone are enough', () => {
  expect(read(brokers)).toEqual({
    brokers: ['one:9092', 'two:9093'],
    topic: 'sightline.events',
    partitions: 12,
    replicas: 1,
    mayCreateTopic: true,
    tls: null,
    login: null,
  });
});

test('a cluster with logins and encrypted connections is configured by variables and files', async () => {
  await using folder = await temporaryFolder();
  const [ca, password] = [join(folder.path, 'ca.pem'), join(folder.path, 'password')];
  await writeFile(ca, 'an authority');
  await writeFile(password, 'much-hidden\n');
  const settings = read({
    ...brokers,
    SIGHTLINE_KAFKA_CREATE_TOPIC: 'false',
    SIGHTLINE_KAFKA_REPLICAS: '3',
    SIGHTLINE_KAFKA_TLS: 'true',
    SIGHTLINE_KAFKA_CA_FILE: ca,
    SIGHTLINE_KAFKA_SASL_MECHANISM: 'plain',
    SIGHTLINE_KAFKA_USERNAME: 'me',
    SIGHTLINE_KAFKA_PASSWORD_FILE: password,
  });
  expect(settings).toMatchObject({
    mayCreateTopic: false,
    replicas: 3,
    tls: { ca: 'an authority' },
    login: { mechanism: 'plain', username: 'me', password: expect.any(Function) },
  });
  await writeFile(password, 'new\nmuch-hidden\n');
  expect(settings!.login!.password()).toEqual(['new', 'much-hidden']);
});

test.each([
  [{ SIGHTLINE_KAFKA_USERNAME: 'me' }, 'set SIGHTLINE_KAFKA_PASSWORD, too'],
  [
    { SIGHTLINE_KAFKA_TLS: 'true', SIGHTLINE_KAFKA_CA_FILE: '/nowhere/ca.pem' },
    'SIGHTLINE_KAFKA_CA_FILE: the file /nowhere/ca.pem cannot be read (ENOENT)',
  ],
])('%j ends the start', (environment, sentence) => {
  expect(() => read({ ...brokers, ...environment })).toThrow(sentence);
});
