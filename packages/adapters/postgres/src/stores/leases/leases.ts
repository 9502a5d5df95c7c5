import type { LeaseStore } from '@sightline/core/leases/lease-store';
import type { Doors } from '../../doors/doors.ts';

export function leaseStore(doors: Doors): LeaseStore {
  return {
    async hold(name, holder, seconds) {
      const held = await query(
        `INSERT INTO leases AS l (name, holder, held_until)
         VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3::float8))
         ON CONFLICT (name) DO UPDATE SET holder = excluded.holder,
           held_until = clock_timestamp() + make_interval(secs => $3::float8)
         WHERE l.holder = excluded.holder OR l.held_until < clock_timestamp()
         RETURNING name`,
        [name, holder, seconds],
      );
      return held.length > 0;
    },

    async release(name, holder) {
      await query('DELETE FROM leases WHERE name = $1 AND holder = $2', [name, holder]);
    },
  };

  async function query(text: string, values: readonly unknown[]): Promise<readonly unknown[]> {
    return doors.onPlatform('leases', (session) => session.query(text, values));
  }
}
