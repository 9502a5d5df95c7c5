import { describe, expect, test } from '@jest/globals';
import { toCurlCommand, toJavaScript, toPython } from './code-samples.ts';

const URL = 'https://example.org/api/identify?top_n=5';
const HOSTILE = `a"b'c\\d;e,f$(id).jpg`;
const form = { url: URL, files: { file: HOSTILE }, fields: { threshold: 0.5 } };
const json = { url: URL, files: {}, fields: { image_url: `https://example.org/o'neil.jpg` } };

describe('a request as code', () => {
  test('is a command whose file names have no meaning for a shell or for curl', () => {
    expect(toCurlCommand(form)).toBe(
      [
        `curl -X POST '${URL}'`,
        '-H "X-API-Key: $SIGHTLINE_API_KEY"',
        String.raw`-F 'file=@"a\"b'\''c\\d;e,f$(id).jpg"'`,
        "--form-string 'threshold=0.5'",
      ].join(' \\\n  '),
    );
  });

  test('is a command with JSON if there is no file', () => {
    expect(toCurlCommand(json)).toContain(
      String.raw`-d '{"image_url":"https://example.org/o'\''neil.jpg"}'`,
    );
  });

  test('is a module of JavaScript', () => {
    expect(toJavaScript(form)).toBe(
      [
        "import { openAsBlob } from 'node:fs';",
        '',
        'const form = new FormData();',
        `form.set("file", await openAsBlob(${JSON.stringify(HOSTILE)}), ${JSON.stringify(HOSTILE)});`,
        'form.set("threshold", "0.5");',
        `const response = await fetch("${URL}", {`,
        "  method: 'POST',",
        '  headers: {',
        "    'X-API-Key': process.env.SIGHTLINE_API_KEY,",
        '  },',
        '  body: form,',
        '});',
        'console.log(await response.json());',
      ].join('\n'),
    );
    expect(toJavaScript(json)).toContain('body: JSON.stringify({"image_url"');
  });

  test('is a script of Python', () => {
    expect(toPython(form)).toContain(
      `    files={"file": open(${JSON.stringify(HOSTILE)}, "rb")},\n    data={"threshold": 0.5},\n`,
    );
    expect(toPython(json)).toContain(`    json={"image_url": "https://example.org/o'neil.jpg"},\n`);
  });
});
