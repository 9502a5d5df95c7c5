import type { Actor } from '../store/actor.ts';

/** The entities of the audit, and what may happen to each of them. */
export interface AuditActions {
  readonly detection:
    | 'confirm'
    | 'reassign'
    | 'relabel'
    | 'unassign'
    | 'reject'
    | 'restore'
    | 'enroll'
    | 'revoke'
    | 'dismiss'
    | 'dismiss_mismatch'
    | 'create'
    | 'delete';
  readonly identity: 'create' | 'rename' | 'set_reference' | 'set_cover' | 'merge' | 'delete';
  readonly face_embedding: 'delete';
  readonly image: 'delete' | 'identify' | 'verify' | 'test';
  readonly operation: 'undo';
  readonly library: 'export' | 'import';
  readonly job: 'create' | 'cancel' | 'delete';
  readonly setting: 'change';
  readonly webhook: 'create' | 'change' | 'delete' | 'test' | 'send';
  readonly model: 'download' | 'activate';
  readonly environment: 'create' | 'rename' | 'delete';
  readonly member: 'add' | 'change' | 'remove' | 'appoint';
  readonly invitation: 'create' | 'revoke' | 'accept';
  readonly key: 'create' | 'delete' | 'take_over';
  readonly user:
    | 'create'
    | 'change'
    | 'change_password'
    | 'sign_in'
    | 'refuse_sign_in'
    | 'bind_login'
    | 'unbind_login';
}

export type AuditEntity = keyof AuditActions;

/** One action of the audit. The details never contain images, vectors, passwords, keys, or labels of people. */
export type AuditEntry<Entity extends AuditEntity = AuditEntity> = {
  readonly [E in Entity]: {
    readonly entity: E;
    readonly action: AuditActions[E];
    /** The ids of the entities; empty if there are none. */
    readonly ids: readonly (number | string)[];
    readonly details?: Readonly<Record<string, unknown>>;
  };
}[Entity];

/** An entry as it is listed. */
export interface AuditRecord {
  readonly id: number;
  readonly at: Date;
  /** Null for actions on the installation. */
  readonly environmentId: number | null;
  readonly accountId: string | null;
  readonly keyId: number | null;
  readonly requestId: string | null;
  readonly entity: AuditEntity;
  readonly action: string;
  readonly ids: readonly string[];
  /** `actor` is `command` or `service` if no request caused the action. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** An action that changes nothing, and is therefore recorded beside its request. */
export interface AuditedRead {
  readonly environmentId: number;
  readonly actor: Actor;
  readonly at: Date;
  readonly entry: AuditEntry;
}
