import type { LoggedRequest } from './request-log.ts';
import { JSON_ARGUMENT, KEY_ARGUMENT, shellCommand, shellWord } from './shell-words.ts';

/** The command that repeats a request with an API key, for a shell. The key is a variable of the shell. */
export function toCurl({ method, target, body }: LoggedRequest, origin: string): string {
  const address = shellWord(origin + target);
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}${address}`, KEY_ARGUMENT];
  if (body !== null && 'json' in body) lines.push(JSON_ARGUMENT, `-d ${shellWord(body.json)}`);
  if (body !== null && 'form' in body) {
    lines.push(...body.form.map((part) => `-F ${shellWord(part)}`));
  }
  return shellCommand(lines);
}
