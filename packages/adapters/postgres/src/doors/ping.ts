import type pg from 'pg';
import { LentClient } from './lent-client.ts';
import { hungServer, toStoreFailure } from './store-failure.ts';

/** @throws StoreUnavailable if the server does not answer before the signal aborts */
export async function ping(pool: pg.Pool, signal: AbortSignal): Promise<void> {
  try {
    const lent = await LentClient.borrow(pool, { signal, caller: undefined });
    try {
      await lent.client.query('SELECT');
      lent.giveBack();
    } catch (error) {
      await lent.rollBack(error);
      throw error;
    }
  } catch (error) {
    throw signal.aborted ? hungServer(signal.reason) : toStoreFailure(error);
  }
}
