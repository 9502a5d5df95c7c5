import './without-compilation.ts';
import { API_CONTRACTS } from '@sightline/contracts/api-contracts';
import type { RouteContract } from '@sightline/contracts/define-contract';

/**
 * Throws if a JSON answer does not match its contract. A file that may come in its place is not checked. Only the
 * builds for development and for tests contain this module, because it brings all schemas.
 */
export function checkAnswer(name: string, status: number, body: unknown): void {
  const contract: RouteContract | undefined = Object.entries<RouteContract>(API_CONTRACTS).find(
    ([each]) => each === name,
  )?.[1];
  const response = contract?.responses[status];
  if (response === undefined) throw new Error(`${name} has no response with status ${status}`);
  if (response.mediaType !== 'application/json') return;
  if (response.file !== undefined && body instanceof Blob) return;
  const { error } = response.schema.safeParse(body);
  if (error) throw new Error(`The answer of ${name} does not match its contract: ${error.message}`);
}
