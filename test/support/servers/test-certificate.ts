import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from '@jest/globals';

/** A new certificate with its key and its authority, all as PEM. */
export interface TestCertificate {
  /** The certificate of the authority that signed `cert`. */
  readonly authority: string;
  readonly cert: string;
  readonly key: string;
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** @param subject the alternative name, such as `IP:127.0.0.1` or `DNS:localhost` */
export function makeCertificate(subject: string): TestCertificate {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-tls-'));
  const path = (file: string): string => join(folder, file);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' });
  try {
    openssl(
      ...['req', '-x509', ...NEW_KEY, '-subj', '/CN=authority', '-days', '2'],
      ...['-keyout', path('ca.key'), '-out', path('ca')],
    );
    openssl('req', ...NEW_KEY, '-subj', '/CN=server', '-keyout', path('key'), '-out', path('csr'));
    writeFileSync(path('ext'), `subjectAltName=${subject}\n`);
    openssl(
      ...['x509', '-req', '-in', path('csr'), '-CA', path('ca'), '-CAkey', path('ca.key')],
      ...['-CAcreateserial', '-days', '2', '-extfile', path('ext'), '-out', path('cert')],
    );
    const read = (file: string): string => readFileSync(path(file), 'utf8');
    return { authority: read('ca'), cert: read('cert'), key: read('key') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Describes a suite that makes certificates. It is skipped without openssl. */
export function describeWithCertificates(name: string, body: () => void): void {
  if (hasOpenssl()) describe(name, body);
  else describe.skip(`${name} [skipped: needs openssl]`, body);
}

function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
