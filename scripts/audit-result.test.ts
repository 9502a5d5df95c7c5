import { expect, test } from '@jest/globals';
import { advisoriesResult, signaturesResult } from './audit-result.ts';

test('no advisory is a pass, any is a failure that names the packages', () => {
  const metadata = { dependencies: { total: 900 } };
  expect(advisoriesResult({ vulnerabilities: {}, metadata })).toEqual({
    outcome: 'passed',
    text: 'Advisories: none for the 900 packages.',
  });
  const vulnerabilities = { left: { severity: 'high' }, right: { severity: 'low' } };
  expect(advisoriesResult({ vulnerabilities, metadata })).toEqual({
    outcome: 'failed',
    text: 'Advisories: left (high), right (low). npm audit has the details.',
  });
});

test('a registry without advisories is no pass', () => {
  expect(advisoriesResult({ statusCode: 405 })).toEqual({
    outcome: 'unknown',
    text: 'Advisories: not checked, the registry does not offer advisories (status 405).',
  });
  expect(advisoriesResult({ error: { code: 'ENOTFOUND' } })).toMatchObject({ outcome: 'unknown' });
});

test('signatures are valid, or the packages are named, or they could not be checked', () => {
  expect(signaturesResult({ invalid: [], missing: [] })).toMatchObject({ outcome: 'passed' });
  expect(signaturesResult({ invalid: [{ name: 'left' }], missing: [{ name: 'right' }] })).toEqual({
    outcome: 'failed',
    text: 'Signatures: invalid or missing for left, right.',
  });
  expect(signaturesResult({ error: { code: 'ENOTFOUND' } })).toEqual({
    outcome: 'unknown',
    text: 'Signatures: not checked, npm could not get what it needs (ENOTFOUND).',
  });
});
