import type { AnalyzerStatus } from '@sightline/core/analysis/image-analyzer';
import { z } from 'zod';
import { parseAs, statusSchema } from './head-schemas.ts';
import { parseHead, WIRE_VERSION } from './preamble.ts';
import { WireVersionMismatch } from './wire-errors.ts';

const versionSchema = z.object({ wire: z.int() });

/** A status in JSON, with the version of the format that the process speaks. */
export function encodeStatus({ ready, provider, models }: AnalyzerStatus): string {
  return JSON.stringify({ wire: WIRE_VERSION, ready, provider, models });
}

/** @throws MalformedMessage; WireVersionMismatch */
export function decodeStatus(bytes: Uint8Array): AnalyzerStatus {
  const told = parseHead(bytes);
  const { wire } = parseAs(versionSchema, told);
  if (wire !== WIRE_VERSION) throw new WireVersionMismatch(WIRE_VERSION, wire);
  return parseAs(statusSchema, told);
}
