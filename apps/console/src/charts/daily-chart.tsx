import { useFormats, useMessages } from '../messages/locale-context.tsx';
import { joinClasses } from '../ui/join-classes.ts';
import { Switch } from '../ui/switch.tsx';
import { Table } from '../ui/table.tsx';
import { CHART_MESSAGES } from './chart-messages.ts';
import styles from './charts.module.css';
import { type DayCounts, DRAWING, layOutDays, sum } from './day-columns.ts';

const COLORS = [styles.first, styles.second] as const;

export interface DailyChartProps {
  readonly title: string;
  /** The names of the series, in the order of the counts; at most two. */
  readonly series: readonly string[];
  /** All days, the oldest first. */
  readonly days: readonly DayCounts[];
  /** Whether the numbers are shown as a table instead. */
  readonly isTable: boolean;
  readonly onShowTable: (isTable: boolean) => void;
}

/** Numbers of days as bars, or as a table, which the keyboard and screen readers can read. */
export function DailyChart(props: DailyChartProps) {
  const { title, series, days, isTable, onShowTable } = props;
  const texts = useMessages(CHART_MESSAGES);
  const formats = useFormats();
  const total = sum(days.map(({ counts }) => sum(counts)));
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.caption}>
        <span className={styles.title}>{title}</span>
        <span className={styles.total}>{formats.number(total)}</span>
      </figcaption>
      {isTable ? <NumbersTable {...props} /> : <Drawing {...props} total={total} />}
      <div className={styles.foot}>
        {series.length > 1 && !isTable && <Legend series={series} />}
        <Switch label={texts.asTable(title)} isOn={isTable} onChange={onShowTable} />
      </div>
    </figure>
  );
}

function Legend({ series }: Pick<DailyChartProps, 'series'>) {
  return (
    <ul className={styles.legend}>
      {series.map((name, index) => (
        <li key={name}>
          <span className={joinClasses(styles.swatch, COLORS[index])} />
          {name}
        </li>
      ))}
    </ul>
  );
}

type DrawingProps = Pick<DailyChartProps, 'title' | 'series' | 'days'> & { readonly total: number };

function Drawing({ title, series, days, total }: DrawingProps) {
  const texts = useMessages(CHART_MESSAGES);
  const formats = useFormats();
  const { columns, ticks } = layOutDays(days);
  const end = DRAWING.width - DRAWING.end;
  const describe = ({ date, counts }: DayCounts) =>
    [formats.day(date), ...counts.map((count, i) => `${series[i]}: ${formats.number(count)}`)].join(
      '\n',
    );
  return (
    <svg
      className={styles.drawing}
      viewBox={`0 0 ${DRAWING.width} ${DRAWING.height}`}
      role="img"
      aria-label={texts.summary(title, formats.number(total), formats.number(days.length))}
    >
      {ticks.map(({ value, y }) => (
        <g key={value}>
          <line className={styles.line} x1={DRAWING.start} x2={end} y1={y} y2={y} />
          <text className={styles.number} x={DRAWING.start - 6} y={y} dominantBaseline="middle">
            {formats.compact(value)}
          </text>
        </g>
      ))}
      {columns.map(({ date, x, width, bars }, index) => (
        <g key={date}>
          <rect className={styles.hover} x={x} width={width} y={0} height={DRAWING.height}>
            <title>{describe(days[index]!)}</title>
          </rect>
          {bars.map(({ series: at, y, height }) => (
            <rect key={at} className={COLORS[at]} x={x} width={width} y={y} height={height} />
          ))}
        </g>
      ))}
      <DayLabels days={days} />
    </svg>
  );
}

/** The first and the last day below the bars. */
function DayLabels({ days }: Pick<DailyChartProps, 'days'>) {
  const formats = useFormats();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return null;
  const y = DRAWING.height - 6;
  return (
    <>
      <text className={styles.day} x={DRAWING.start} y={y}>
        {formats.day(first.date)}
      </text>
      <text className={styles.number} x={DRAWING.width - DRAWING.end} y={y}>
        {formats.day(last.date)}
      </text>
    </>
  );
}

function NumbersTable({ title, series, days }: DailyChartProps) {
  const texts = useMessages(CHART_MESSAGES);
  const formats = useFormats();
  return (
    <div className={styles.table}>
      <Table label={title} columns={[texts.day, ...series]}>
        {days.toReversed().map(({ date, counts }) => (
          <tr key={date}>
            <th scope="row">{formats.day(date)}</th>
            {counts.map((count, index) => (
              <td key={series[index]}>{formats.number(count)}</td>
            ))}
          </tr>
        ))}
      </Table>
    </div>
  );
}
