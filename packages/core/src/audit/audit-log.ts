import type { Page } from '../store/page.ts';
import type { AuditedRead, AuditRecord } from './audit-entry.ts';

export interface AuditPosition {
  readonly at: Date;
  readonly id: number;
}

export interface AuditFilter {
  /** Null for the actions on the installation. */
  readonly environmentId: number | null;
  readonly entity?: string | undefined;
  readonly action?: string | undefined;
  readonly accountId?: string | undefined;
  readonly keyId?: number | undefined;
  readonly entityId?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/** The record of what was done to people's data. All methods throw StoreUnavailable. */
export interface AuditLog {
  /** Lists entries, newest first, after a position. */
  list(
    filter: AuditFilter,
    page: { readonly after: AuditPosition | null; readonly limit: number },
    signal?: AbortSignal,
  ): Promise<Page<AuditRecord>>;
  record(reads: readonly AuditedRead[]): Promise<void>;
  /** Deletes entries that are older than this number of days, at least one. */
  prune(days: number, signal?: AbortSignal): Promise<number>;
}
