import { type ScaleBand, scaleBand, type ScaleLinear, scaleLinear } from 'd3-scale';
import { stack } from 'd3-shape';

/** The numbers of one day, one per series. */
export interface DayCounts {
  /** The day, such as `2026-11-29`. */
  readonly date: string;
  readonly counts: readonly number[];
}

/** The sizes of the drawing, in its own unit. */
export const DRAWING = { width: 360, height: 150, start: 34, end: 4, top: 8, bottom: 22 } as const;

export interface Bar {
  readonly series: number;
  readonly y: number;
  readonly height: number;
}

export interface DayColumn {
  readonly date: string;
  readonly x: number;
  readonly width: number;
  /** The bars of the series on top of each other, without empty ones. */
  readonly bars: readonly Bar[];
}

export interface ChartLayout {
  readonly columns: readonly DayColumn[];
  /** The lines across, with their numbers. */
  readonly ticks: readonly { readonly value: number; readonly y: number }[];
}

const TICKS = 3;

/** Places the bars of all days. Counts are whole numbers, so the scale has no fractions. */
export function layOutDays(days: readonly DayCounts[]): ChartLayout {
  const x = scaleBand(
    days.map(({ date }) => date),
    [DRAWING.start, DRAWING.width - DRAWING.end],
  ).paddingInner(0.25);
  const highest = Math.max(1, ...days.map(({ counts }) => sum(counts)));
  const y = scaleLinear([0, highest], [DRAWING.height - DRAWING.bottom, DRAWING.top]).nice(TICKS);
  const ticks = y.ticks(TICKS).filter(Number.isInteger);
  return {
    columns: columnsOf(days, x, y),
    ticks: ticks.map((value) => ({ value, y: y(value) })),
  };
}

function columnsOf(
  days: readonly DayCounts[],
  x: ScaleBand<string>,
  y: ScaleLinear<number, number>,
): DayColumn[] {
  const series = Object.keys(days[0]?.counts ?? []);
  const stacked = stack<DayCounts>()
    .keys(series)
    .value(({ counts }, key) => counts[Number(key)] ?? 0)([...days]);
  return days.map(({ date }, index) => ({
    date,
    x: x(date)!,
    width: x.bandwidth(),
    bars: stacked.flatMap((layer) => {
      const [from, to] = layer[index]!;
      return to > from ? [{ series: layer.index, y: y(to), height: y(from) - y(to) }] : [];
    }),
  }));
}

/** The numbers of one series, or of all of them, in one. */
export function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
