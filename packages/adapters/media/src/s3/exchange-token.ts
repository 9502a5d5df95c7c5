import { readFile } from 'node:fs/promises';
import { connectionFault } from '@sightline/platform/resilience/connection-fault';
import { codeOf, TokenServiceFailed } from './s3-error.ts';
import type { WebIdentity } from './s3-options.ts';
import type { IssuedKeys } from './temporary-keys.ts';

const TIMEOUT_MS = 5_000;
/** The name by which the logs of a token service show this session. */
const SESSION_NAME = 'sightline';

/**
 * Exchanges a web identity token for temporary keys (AssumeRoleWithWebIdentity of AWS's STS, version 2011-06-15). The
 * SDK's own providers have no timeouts, and know only the addresses of AWS.
 *
 * @throws TokenServiceFailed
 */
export async function exchangeToken(identity: WebIdentity): Promise<IssuedKeys> {
  const parameters = new URLSearchParams({
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    WebIdentityToken: await readToken(identity),
    RoleSessionName: SESSION_NAME,
    ...(identity.roleArn !== null && { RoleArn: identity.roleArn }),
  });
  const { response, text } = await post(identity.stsEndpoint, parameters);
  if (response.status >= 500 || response.status === 429) {
    throw new TokenServiceFailed('STS_UNAVAILABLE');
  }
  if (!response.ok) throw new TokenServiceFailed(`STS_REFUSED_${textOf(text, 'Code') ?? ''}`);
  return issuedKeys(response, text);
}

async function readToken({ tokenFile }: WebIdentity): Promise<string> {
  try {
    return (await readFile(tokenFile, 'utf8')).trim();
  } catch {
    throw new TokenServiceFailed('NO_WEB_IDENTITY');
  }
}

interface Answer {
  readonly response: Response;
  readonly text: string;
}

async function post(endpoint: URL, parameters: URLSearchParams): Promise<Answer> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      body: parameters,
      redirect: 'error',
      signal,
    });
    return { response, text: await response.text() };
  } catch (error) {
    // The error of `fetch` has the reason as its cause.
    const fault = connectionFault(codeOf((error as Error).cause));
    throw new TokenServiceFailed(fault === null ? 'STS_UNAVAILABLE' : `STS_${fault.toUpperCase()}`);
  }
}

function issuedKeys(response: Response, text: string): IssuedKeys {
  const [accessKey, secretKey] = [textOf(text, 'AccessKeyId'), textOf(text, 'SecretAccessKey')];
  const expiration = Date.parse(textOf(text, 'Expiration') ?? '');
  if (accessKey === null || secretKey === null || Number.isNaN(expiration)) {
    throw new TokenServiceFailed('NO_STS');
  }
  // The service's own clock counts, because this machine's may be wrong.
  const now = Date.parse(response.headers.get('date') ?? '') || Date.now();
  const sessionToken = textOf(text, 'SessionToken');
  return { keys: { accessKey, secretKey, sessionToken }, lifetimeMs: expiration - now };
}

/** The text of an element. Keys and tokens have no characters that XML would escape. */
function textOf(xml: string, element: string): string | null {
  return new RegExp(`<${element}>([^<>&]+)</${element}>`).exec(xml)?.[1]?.trim() ?? null;
}
