import { expect, test } from '@jest/globals';
import { KubeRefusal, toStatus } from './kube-errors.ts';

const summaryOf = (message: string, causes: readonly object[] = []) =>
  new KubeRefusal(toStatus(422, JSON.stringify({ message, details: { causes } }), undefined))
    .summary;

test('a summary repeats short messages', () => {
  const short = 'pods "a" is forbidden: exceeded quota: gpus, requested: 1, used: 2, limited: 2';
  expect(summaryOf(short)).toBe(short);
});

test('a summary of an invalid object has its fields and faults, but no long values', () => {
  const template = `{"metadata":{"labels":{"a":"b: c"}},"spec":${'{"x":1},'.repeat(300)}}`;
  const immutable = {
    field: 'spec.template',
    message: `Invalid value: ${template}: field is immutable`,
  };
  const name = {
    field: 'metadata.name',
    message: 'Invalid value: "A": a lowercase RFC 1123 label',
  };
  const message = `Job.batch "imodel-a-fetch" is invalid: [spec.template: ${immutable.message}]`;
  expect(summaryOf(message, [immutable, name, name])).toBe(
    'Job.batch "imodel-a-fetch" is invalid: spec.template: field is immutable; metadata.name: Invalid value: "A": a lowercase RFC 1123 label',
  );
  expect(summaryOf(message).length).toBeLessThan(510);
  expect(summaryOf('x'.repeat(3_000)).length).toBeLessThan(510);
});

test.each([
  { code: 403, details: { causes: [{ reason: 'NamespaceTerminating' }] }, isOf: true },
  { code: 404, details: { name: 'photos', kind: 'namespaces' }, isOf: true },
  { code: 404, details: { name: 'a', kind: 'pods' }, isOf: false },
  { code: 409, details: { name: 'photos', kind: 'namespaces' }, isOf: false },
])('a response with $code and $details is of an ending namespace: $isOf', (one) => {
  const status = toStatus(one.code, JSON.stringify({ details: one.details }), undefined);
  expect(new KubeRefusal(status).isOfEndingNamespace).toBe(one.isOf);
});
