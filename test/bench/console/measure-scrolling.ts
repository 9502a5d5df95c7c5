import { setTimeout as delay } from 'node:timers/promises';
import { type BenchPage } from './bench-page.ts';

/** Pixels in a second. */
const SPEED = 3_000;
const MIDDLE = { x: 720, y: 600 };
/** A frame is late if it takes longer than two refreshes of a screen with 60 a second, in ms. */
const TWO_REFRESHES = 1000 / 30 + 1;

export interface Scrolling {
  /** Frames in a second. */
  readonly frames: number;
  /** The share of frames that took at most two refreshes. */
  readonly inTime: number;
}

// Texts, because the types of this program are those of Node.
const RECORD = `
  globalThis.frameTimes = [];
  const next = (at) => {
    globalThis.frameTimes.push(at);
    globalThis.lastFrame = requestAnimationFrame(next);
  };
  globalThis.lastFrame = requestAnimationFrame(next);`;
const STOP = `cancelAnimationFrame(globalThis.lastFrame); globalThis.frameTimes`;
/** The element that scrolls below the middle of the window. */
const SCROLLER = `(() => {
  let element = document.elementFromPoint(${MIDDLE.x}, ${MIDDLE.y});
  while (element !== null && element.scrollHeight <= element.clientHeight + 1) {
    element = element.parentElement;
  }
  return element ?? document.scrollingElement;
})()`;

/** The height of the content that scrolls. */
export async function scrolledHeight({ page }: BenchPage): Promise<number> {
  return page.evaluate<number>(`${SCROLLER}.scrollHeight`);
}

/** Shows a page of this height with nothing on it. */
export async function showBlank({ page }: BenchPage, height: number): Promise<void> {
  await page.goto('about:blank');
  await page.setContent(
    `<body style="margin:0"><div style="height:900px;overflow:auto"><div style="height:${height}px"></div></div></body>`,
  );
}

/** Scrolls down from the top as a wheel does. */
export async function scroll(opened: BenchPage, seconds: number): Promise<Scrolling> {
  const { page } = opened;
  await page.evaluate(`${SCROLLER}.scrollTop = 0`);
  await delay(500);
  await page.evaluate(RECORD);
  await turnWheel(opened, -SPEED * seconds);
  const times = await page.evaluate<number[]>(STOP);
  const gaps = times.slice(1).map((at, index) => at - times[index]!);
  const whole = times.at(-1)! - times[0]!;
  return {
    frames: (gaps.length / whole) * 1000,
    inTime: gaps.filter((gap) => gap <= TWO_REFRESHES).length / gaps.length,
  };
}

/** Scrolls up and down for this time. */
export async function scrollAbout(opened: BenchPage, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000;
  for (let direction = -1; performance.now() < end; direction = -direction) {
    const left = Math.min(5, (end - performance.now()) / 1000);
    await turnWheel(opened, direction * SPEED * left);
  }
}

async function turnWheel({ devTools }: BenchPage, distance: number): Promise<void> {
  await devTools.send('Input.synthesizeScrollGesture', {
    ...MIDDLE,
    yDistance: distance,
    speed: SPEED,
    gestureSourceType: 'mouse',
    preventFling: true,
  });
}

/** The bytes of the page's objects after a collection of those that are not used. */
export async function usedHeap({ devTools }: BenchPage): Promise<number> {
  await devTools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devTools.send('Runtime.getHeapUsage');
  return usedSize;
}
