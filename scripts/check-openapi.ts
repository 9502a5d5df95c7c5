import { createConfig, lintFromString, type NormalizedProblem } from '@redocly/openapi-core';
import { API_CONTRACTS } from '@sightline/contracts/api-contracts';
import { buildOpenApi, type OpenApiDocument } from '@sightline/contracts/openapi';
import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';

/**
 * Checks the OpenAPI document as the generators of clients read it: Redocly's strict rules, and the types that
 * openapi-typescript makes of it, which have to compile. One rule has an exception: an endpoint that sends browsers to
 * another page may answer 303 alone.
 */
const source = JSON.stringify(await buildOpenApi(API_CONTRACTS, '0.0.0'));
const faults = [...(await lintFaults()), ...typeFaults(await generatedTypes())];
for (const fault of faults) console.error(fault);
console.log(`openapi: ${Object.keys(API_CONTRACTS).length} operations, ${faults.length} faults`);
if (faults.length > 0) process.exitCode = 1;

async function lintFaults(): Promise<readonly string[]> {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  return problems
    .filter((problem) => !isRedirect(problem))
    .map(({ location, ruleId, message }) => {
      const pointer = location[0]?.pointer ?? '#';
      return `${pointer} ${ruleId}: ${message}`;
    });
}

function isRedirect({ ruleId, location }: Pick<NormalizedProblem, 'ruleId' | 'location'>): boolean {
  const [, path = '', method = ''] = location[0]?.pointer?.split('/').slice(1) ?? [];
  const { paths } = JSON.parse(source) as OpenApiDocument;
  const operations = paths[path.replaceAll('~1', '/')] as Record<string, { responses: object }>;
  return ruleId === 'operation-2xx-response' && '303' in operations[method]!.responses;
}

async function generatedTypes(): Promise<string> {
  return astToString(await openapiTypescript(source));
}

function typeFaults(text: string): readonly string[] {
  const name = 'openapi.generated.ts';
  const options = { strict: true, noEmit: true, types: [], target: ts.ScriptTarget.ES2022 };
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    getSourceFile: (file, target) =>
      file === name ? ts.createSourceFile(file, text, target) : disk.getSourceFile(file, target),
  };
  const program = ts.createProgram([name], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
