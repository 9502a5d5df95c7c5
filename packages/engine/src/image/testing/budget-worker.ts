import { parentPort, workerData } from 'node:worker_threads';
import { setTimeout as sleep } from 'node:timers/promises';
import { PixelBudget } from '../pixel-budget.ts';

export interface BudgetWorkerData {
  readonly memory: SharedArrayBuffer;
  readonly share: number;
  readonly limit: number;
  readonly pixels: number;
  readonly rounds: number;
}

// The listener keeps the thread alive, because waiting for pixels does not.
parentPort!.on('message', () => undefined);
const { pixels, rounds, ...options } = workerData as BudgetWorkerData;
const budget = new PixelBudget(options);
let mostInFlight = 0;
for (let round = 0; round < rounds; round++) {
  const reservation = await budget.acquire(pixels);
  mostInFlight = Math.max(mostInFlight, budget.inFlight);
  if (round === 0) parentPort!.postMessage('holds');
  await sleep(0);
  reservation[Symbol.dispose]();
}
parentPort!.postMessage(mostInFlight);
parentPort!.close();
