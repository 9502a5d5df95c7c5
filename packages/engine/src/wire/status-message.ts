import type { AnalyzerStatus } from '@sightline/core/models/analyzer-status';
import { z } from 'zod';
import { parseAs, statusSchema } from './head-schemas.ts';
import { parseHead, WIRE_VERSION } from './preamble.ts';
import { WireVersionMismatch } from './wire-errors.ts';

const versionSchema = z.object({ wire: z.int() });

/** A status as JSON, with the wire version of this process. */
export function encodeStatus(status: AnalyzerStatus): string {
  const { ready, provider, models, held, found, hasGpu } = status;
  return JSON.stringify({ wire: WIRE_VERSION, ready, provider, models, held, found, hasGpu });
}

/** @throws MalformedMessage; WireVersionMismatch */
export function decodeStatus(bytes: Uint8Array): AnalyzerStatus {
  const status = parseHead(bytes);
  const { wire } = parseAs(versionSchema, status);
  if (wire !== WIRE_VERSION) throw new WireVersionMismatch(WIRE_VERSION, wire);
  return parseAs(statusSchema, status);
}
