import { IdentityExists } from '@sightline/core/identities/identity-errors';
import type { Operation, Subject } from '@sightline/core/operations/operation';
import type { OperationWriter, Reversal } from '@sightline/core/operations/operation-store';
import { CURRENT_OPERATION } from '../../doors/begin-operation.ts';
import type { WriteContext } from '../database/store-context.ts';
import { ITEMS_OF_SUBJECTS, PostgresOperationReader } from './operations.ts';
import { type RenamedReversal, restoreRows, valuesOf } from './restore-rows.ts';

/** An identity with a label that a returning one has. */
interface Taken {
  readonly subjectId: number;
  readonly id: number;
  readonly type: 'face' | 'object';
  readonly label: string;
}

/** One kind of subjects, because the search for a list of ids is one pass through an index, also without statistics. */
const MARK_REVERTED = `
  UPDATE operation_items SET reverted_by = ${CURRENT_OPERATION}
  WHERE environment_id = $1 AND operation_id = $2 AND subject = $3 AND subject_id = any($4::bigint[])`;

export class PostgresOperationWriter extends PostgresOperationReader implements OperationWriter {
  readonly #context: WriteContext;

  constructor(context: WriteContext) {
    super(context);
    this.#context = context;
  }

  async begin(): Promise<void> {
    await this.#context.session.query('SELECT begin_operation()');
  }

  async discardable(keys: readonly string[]): Promise<readonly string[]> {
    if (keys.length === 0) return [];
    const rows = await this.#context.session.query<{ key: string }>(
      'SELECT media_key AS key FROM set_aside_files WHERE media_key = any($1::text[])',
      [keys],
    );
    const kept = new Set(rows.map(({ key }) => key));
    return keys.filter((key) => !kept.has(key));
  }

  async lock(id: number): Promise<Operation | null> {
    const { session, environmentId } = this.#locked();
    await session.query('SELECT FROM operations WHERE environment_id = $1 AND id = $2 FOR UPDATE', [
      environmentId,
      id,
    ]);
    return this.byId(id);
  }

  async restore({ operationId, subjects, label }: Reversal): Promise<void> {
    const { session } = this.#locked();
    const renamed = await this.#labelFor({ operationId, subjects, label });
    const keys = await restoreRows(this.#context, { operationId, subjects, renamed });
    if (keys.length === 0) return;
    await session.query('DELETE FROM set_aside_files WHERE media_key = any($1::text[])', [keys]);
  }

  async markReverted(operationId: number, subjects: readonly Subject[]): Promise<void> {
    const { session, environmentId } = this.#locked();
    const kinds = Map.groupBy(subjects, ({ kind }) => kind);
    for (const [kind, ofKind] of kinds) {
      const ids = ofKind.map(({ id }) => id);
      await session.query(MARK_REVERTED, [environmentId, operationId, kind, ids]);
    }
  }

  async markUndone({ id, undoes }: Operation): Promise<void> {
    const { session, environmentId } = this.#locked();
    await session.query(
      `UPDATE operations SET undone_by = ${CURRENT_OPERATION} WHERE environment_id = $1 AND id = $2`,
      [environmentId, id],
    );
    if (undoes === null) return;
    await session.query(
      'UPDATE operations SET undone_by = NULL WHERE environment_id = $1 AND id = $2',
      [environmentId, undoes],
    );
    await session.query(
      `UPDATE operation_items SET reverted_by = NULL
       WHERE environment_id = $1 AND operation_id = $2 AND reverted_by = $3`,
      [environmentId, undoes, id],
    );
  }

  /**
   * Returns the identity whose own label is in use, with the label that it gets instead; null if none is.
   *
   * @throws IdentityExists if it gets none, or one that is in use, too; or if there are several such identities
   */
  async #labelFor({ operationId, subjects, label }: Reversal): Promise<RenamedReversal['renamed']> {
    const { session, environmentId } = this.#context;
    if (!subjects.some(({ kind }) => kind === 'identity')) return null;
    const taken = await session.query<Taken>(
      `SELECT i.subject_id AS "subjectId", o.id, o.type, o.label FROM ${ITEMS_OF_SUBJECTS}
       CROSS JOIN LATERAL (SELECT coalesce(i.before ->> 'type', (
         SELECT n.type FROM identities n WHERE n.environment_id = $1 AND n.id = i.subject_id)) AS type) AS own
       JOIN identities o ON o.environment_id = $1 AND o.deleting_since IS NULL AND o.id <> i.subject_id
         AND o.label = i.before ->> 'label' AND o.type = own.type
       WHERE i.subject = 'identity' AND i.part = 'row' AND i.before IS NOT NULL AND i.reverted_by IS NULL
         AND i.before -> 'label' IS DISTINCT FROM i.after -> 'label'
       ORDER BY i.subject_id LIMIT 2`,
      valuesOf(environmentId, operationId, subjects),
    );
    const [first, second] = taken;
    if (first === undefined) return null;
    if (second !== undefined || label === null) throw new IdentityExists(second ?? first);
    const [other] = await session.query<Taken>(
      `SELECT id, type, label FROM identities
       WHERE environment_id = $1 AND deleting_since IS NULL AND type = $2 AND label = $3`,
      [environmentId, first.type, label],
    );
    if (other !== undefined) throw new IdentityExists(other);
    return { id: first.subjectId, label };
  }

  /** Returns the context if the transaction has locked the environment. */
  #locked(): WriteContext {
    this.#context.locks.require({ entity: 'environment' });
    return this.#context;
  }
}
