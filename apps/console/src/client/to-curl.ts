import type { LoggedRequest } from './request-log.ts';

/** The command that repeats a request with an API key, for a shell. The key is a variable of the shell. */
export function toCurl({ method, target, body }: LoggedRequest, origin: string): string {
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quote(origin + target)}`,
    `-H "X-API-Key: $SIGHTLINE_API_KEY"`,
  ];
  if (body !== null && 'json' in body) {
    parts.push(`-H 'Content-Type: application/json'`, `-d ${quote(body.json)}`);
  }
  if (body !== null && 'form' in body) {
    parts.push(...body.form.map((part) => `-F ${quote(part)}`));
  }
  return parts.join(' \\\n  ');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
