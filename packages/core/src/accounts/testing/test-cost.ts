import type { ScryptCost } from '../password-hasher.ts';

/** A cost of hashes for tests in their own process, which no attacker sees. It takes a thousandth of the service's time. */
export const TEST_COST: ScryptCost = { ln: 4, r: 8, p: 1 };
