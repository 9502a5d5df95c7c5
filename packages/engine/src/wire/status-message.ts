import type { AnalyzerStatus } from '@sightline/core/models/analyzer-status';
import { z } from 'zod';
import { parseAs, statusSchema } from './head-schemas.ts';
import { parseHead } from './preamble.ts';
import { commonVersion, WIRE_VERSIONS } from './wire-versions.ts';

/** A process that supports only one version sends only `wire`. */
const versionSchema = z.object({ wire: z.int(), wires: z.array(z.int()).readonly().optional() });

/** Encodes a status as JSON, with the wire versions that the process supports. */
export function encodeStatus(status: AnalyzerStatus, spoken = WIRE_VERSIONS): string {
  const { ready, provider, models, report, found, hasGpu } = status;
  // An older process supports only one version, and requires this field to be equal to it. The oldest supported
  // version is therefore sent here.
  const wire = Math.min(...spoken);
  return JSON.stringify({ wire, wires: spoken, ready, provider, models, report, found, hasGpu });
}

/** @throws MalformedMessage; WireVersionMismatch */
export function decodeStatus(bytes: Uint8Array): AnalyzerStatus {
  return decodeStatusFor(bytes, WIRE_VERSIONS).status;
}

/**
 * Decodes a status, and finds the newest version that its sender and this process both support.
 *
 * @throws MalformedMessage; WireVersionMismatch
 */
export function decodeStatusFor(
  bytes: Uint8Array,
  spoken: readonly number[],
): { readonly status: AnalyzerStatus; readonly version: number } {
  const head = parseHead(bytes);
  const { wire, wires = [wire] } = parseAs(versionSchema, head);
  const version = commonVersion(spoken, wires);
  return { version, status: parseAs(statusSchema, head) };
}
