import { z } from 'zod';
import { oneOf, optionalText, variable, wholeNumber } from '../variable.ts';

export const KAFKA_VARIABLES = {
  kafkaBrokers: variable({
    name: 'SIGHTLINE_KAFKA_BROKERS',
    description:
      'Brokers of the Kafka cluster for events, for example kafka-0:9092,kafka-1:9092; unset: each process reads events from the database',
    default: null,
    schema: z
      .string()
      .refine(areBrokers, 'has to be host:port, or several of these separated by commas')
      .nullable(),
  }),
  kafkaTopic: variable({
    name: 'SIGHTLINE_KAFKA_TOPIC',
    description: 'Topic of the events',
    default: 'sightline.events',
    schema: z.string().regex(/^[\w.-]{1,200}$/, 'has to be the name of a topic'),
  }),
  kafkaCreateTopic: variable({
    name: 'SIGHTLINE_KAFKA_CREATE_TOPIC',
    description: 'Whether the service creates the topic if it does not exist',
    default: 'true',
    schema: oneOf(['true', 'false']),
  }),
  kafkaPartitions: variable({
    name: 'SIGHTLINE_KAFKA_PARTITIONS',
    description: 'Number of partitions of a new topic',
    default: '12',
    schema: wholeNumber(1, 1000),
  }),
  kafkaReplicas: variable({
    name: 'SIGHTLINE_KAFKA_REPLICAS',
    description: 'Number of replicas of each partition of a new topic',
    default: '1',
    schema: wholeNumber(1, 16),
  }),
  kafkaTls: variable({
    name: 'SIGHTLINE_KAFKA_TLS',
    description: 'Whether connections to Kafka use TLS',
    default: 'false',
    schema: oneOf(['true', 'false']),
  }),
  kafkaCaFile: variable({
    name: 'SIGHTLINE_KAFKA_CA_FILE',
    description: 'File with the certificate authorities of the brokers, as PEM',
    default: null,
    schema: optionalText(),
  }),
  kafkaMechanism: variable({
    name: 'SIGHTLINE_KAFKA_SASL_MECHANISM',
    description: 'SASL mechanism of the Kafka user: plain, scram-sha-256 or scram-sha-512',
    default: 'scram-sha-512',
    schema: oneOf(['plain', 'scram-sha-256', 'scram-sha-512']),
  }),
  kafkaUsername: variable({
    name: 'SIGHTLINE_KAFKA_USERNAME',
    description: 'User of the Kafka cluster; unset: connections without authentication',
    default: null,
    schema: optionalText(),
  }),
  kafkaPassword: variable({
    name: 'SIGHTLINE_KAFKA_PASSWORD',
    description: 'Password of the user of the Kafka cluster',
    default: null,
    secret: true,
    schema: optionalText(),
  }),
  kafkaPasswordFile: variable({
    name: 'SIGHTLINE_KAFKA_PASSWORD_FILE',
    description:
      'File that contains the password of the user of the Kafka cluster; read again while the process runs, and may have a second line with a value that is still valid',
    default: null,
    schema: optionalText(),
  }),
};

function areBrokers(text: string): boolean {
  return text.split(',').every((broker) => /^[\w.-]+:\d{1,5}$/.test(broker));
}
