import { getRouteApi } from '@tanstack/react-router';
import { useRead } from '../../client/api-context.tsx';
import type { OperationBody } from '../../client/operations.ts';
import { DailyChart } from '../../charts/daily-chart.tsx';
import { Page } from '../../frame/page.tsx';
import { Loading } from '../../frame/page-state.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Panel, Panels } from '../../ui/panel.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Needs } from './needs.tsx';
import { OVERVIEW_MESSAGES } from './overview-messages.ts';
import { CHARTS, type ChartName } from './overview-search.ts';
import { REFRESH_MS } from './refresh.ts';
import styles from './overview.module.css';

type Stats = OperationBody<'getStats'>;

const route = getRouteApi('/$environment/overview');

/** The numbers of an environment, and what needs a person. */
export function OverviewPage() {
  const texts = useMessages(OVERVIEW_MESSAGES);
  const { environment } = route.useParams();
  const stats = useRead('getStats', {}, { refetchInterval: REFRESH_MS });
  return (
    <Page title={texts.title}>
      <Panels>
        {stats.isPending && <Loading />}
        {stats.error && <Failure error={stats.error} onRetry={() => void stats.refetch()} />}
        {stats.data && (
          <>
            <FirstSteps key={environment} environment={environment} stats={stats.data} />
            <Numbers stats={stats.data} />
            <Needs environment={environment} waiting={stats.data.pending_review} />
            <Days />
            <Storage stats={stats.data} />
          </>
        )}
      </Panels>
    </Page>
  );
}

function Numbers({ stats }: { readonly stats: Stats }) {
  const texts = useMessages(OVERVIEW_MESSAGES);
  const formats = useFormats();
  const numbers = [
    [texts.images, stats.source_images],
    [texts.faces, stats.face_detections],
    [texts.people, stats.face_identities],
    [texts.objects, stats.object_detections],
    [texts.classes, stats.object_identities],
  ] as const;
  return (
    <Panel title={texts.numbers}>
      <dl className={styles.numbers}>
        {numbers.map(([name, count]) => (
          <div key={name} className={styles.number}>
            <dt>{name}</dt>
            <dd>{formats.number(count)}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

function Days() {
  const texts = useMessages(OVERVIEW_MESSAGES);
  const daily = useRead('getDailyStats', { query: { days: 90 } });
  return (
    <Panel title={texts.days}>
      {daily.isPending && <Loading />}
      {daily.error && <Failure error={daily.error} onRetry={() => void daily.refetch()} />}
      {daily.data && <Charts days={daily.data.items} />}
    </Panel>
  );
}

function Charts({ days }: { readonly days: OperationBody<'getDailyStats'>['items'] }) {
  const texts = useMessages(OVERVIEW_MESSAGES);
  const { tables = [] } = route.useSearch();
  const navigate = route.useNavigate();
  const show = (name: ChartName, isTable: boolean) => {
    const shown = CHARTS.filter((each) => (each === name ? isTable : tables.includes(each)));
    void navigate({ search: { tables: shown.length > 0 ? shown : undefined }, replace: true });
  };
  const charts = {
    faces: {
      title: texts.chartFaces,
      series: [texts.chartFaces],
      counts: ({ faces }: (typeof days)[number]) => [faces],
    },
    confirmed: {
      title: texts.chartConfirmed,
      series: [texts.byMachine, texts.byPeople],
      counts: (day: (typeof days)[number]) => [day.confirmed_automatic, day.confirmed_human],
    },
    rejected: {
      title: texts.chartRejected,
      series: [texts.chartRejected],
      counts: ({ rejected }: (typeof days)[number]) => [rejected],
    },
  } satisfies Record<ChartName, object>;
  return (
    <div className={styles.charts}>
      {CHARTS.map((name) => {
        const { title, series, counts } = charts[name];
        return (
          <DailyChart
            key={name}
            title={title}
            series={series}
            days={days.map((day) => ({ date: day.date, counts: counts(day) }))}
            isTable={tables.includes(name)}
            onShowTable={(isTable) => show(name, isTable)}
          />
        );
      })}
    </div>
  );
}

function Storage({ stats }: { readonly stats: Stats }) {
  const texts = useMessages(OVERVIEW_MESSAGES);
  const formats = useFormats();
  const free = stats.storage_free_bytes;
  return (
    <Panel title={texts.storage}>
      <p>
        {texts.used(formats.bytes(stats.storage_bytes))}{' '}
        {stats.set_aside_bytes > 0 && texts.setAside(formats.bytes(stats.set_aside_bytes))}
      </p>
      <p className={styles.quiet}>
        {free === null ? texts.freeUnknown : texts.free(formats.bytes(free))}
      </p>
    </Panel>
  );
}
