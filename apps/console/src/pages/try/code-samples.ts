import {
  JSON_ARGUMENT,
  KEY_ARGUMENT,
  KEY_VARIABLE,
  shellCommand,
  shellWord,
} from '../../client/shell-words.ts';

/** A request with a key, of which the page shows the code. */
export interface SampleRequest {
  /** The address with the query. */
  readonly url: string;
  /** The names of the files by the members of the form. Without files, the request is JSON. */
  readonly files: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string | number>>;
}

/** The request as a command for a shell. */
export function toCurlCommand({ url, files, fields }: SampleRequest): string {
  const parts = [`curl -X POST ${shellWord(url)}`, KEY_ARGUMENT];
  if (isJson(files)) {
    parts.push(JSON_ARGUMENT, `-d ${shellWord(JSON.stringify(fields))}`);
  } else {
    // Within the quotes of curl, commas and semicolons of a name have no meaning.
    parts.push(
      ...entries(files).map(([name, path]) => `-F ${shellWord(`${name}=@${quoted(path)}`)}`),
    );
    parts.push(
      ...entries(fields).map(([name, value]) => `--form-string ${shellWord(`${name}=${value}`)}`),
    );
  }
  return shellCommand(parts);
}

/** The request as a module for Node.js. */
export function toJavaScript({ url, files, fields }: SampleRequest): string {
  const lines = isJson(files) ? [] : ["import { openAsBlob } from 'node:fs';", ''];
  if (!isJson(files)) {
    lines.push('const form = new FormData();');
    for (const [name, path] of entries(files)) {
      lines.push(`form.set(${text(name)}, await openAsBlob(${text(path)}), ${text(path)});`);
    }
    for (const [name, value] of entries(fields)) {
      lines.push(`form.set(${text(name)}, ${text(String(value))});`);
    }
  }
  return [
    ...lines,
    `const response = await fetch(${text(url)}, {`,
    "  method: 'POST',",
    '  headers: {',
    `    'X-API-Key': process.env.${KEY_VARIABLE},`,
    ...(isJson(files) ? ["    'Content-Type': 'application/json',"] : []),
    '  },',
    isJson(files) ? `  body: JSON.stringify(${JSON.stringify(fields)}),` : '  body: form,',
    '});',
    'console.log(await response.json());',
  ].join('\n');
}

/** The request as a script for Python with the package `requests`. */
export function toPython({ url, files, fields }: SampleRequest): string {
  const members = (values: readonly string[]) => `{${values.join(', ')}}`;
  const given = entries(fields).map(([name, value]) => `${text(name)}: ${JSON.stringify(value)}`);
  const opened = entries(files).map(([name, path]) => `${text(name)}: open(${text(path)}, "rb")`);
  return [
    'import os',
    'import requests',
    '',
    'response = requests.post(',
    `    ${text(url)},`,
    `    headers={"X-API-Key": os.environ["${KEY_VARIABLE}"]},`,
    ...(isJson(files) ? [`    json=${members(given)},`] : [`    files=${members(opened)},`]),
    ...(!isJson(files) && given.length > 0 ? [`    data=${members(given)},`] : []),
    ')',
    'print(response.json())',
  ].join('\n');
}

function isJson(files: SampleRequest['files']): boolean {
  return Object.keys(files).length === 0;
}

function entries<T>(values: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(values);
}

/** A literal of JavaScript and of Python. */
function text(value: string): string {
  return JSON.stringify(value);
}

function quoted(path: string): string {
  return `"${path.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
