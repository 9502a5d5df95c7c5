import type { OperationBody } from '../../client/operations.ts';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { type Fact, Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Table } from '../../ui/table.tsx';
import type { StatusProps } from './health-panels.tsx';
import { SYSTEM_MESSAGES } from './system-messages.ts';

type Index = NonNullable<OperationBody<'getSystemStatus'>['indexes']>[number];

/** The text below the title of a part that is a list. */
function useListText(): (list: readonly unknown[] | null, empty: string) => string | undefined {
  const texts = useMessages(SYSTEM_MESSAGES);
  return (list, empty) => {
    if (list === null) return texts.notRead;
    return list.length === 0 ? empty : undefined;
  };
}

/** The unfinished jobs of all environments, by their type. */
export function JobsPanel({ status: { jobs } }: StatusProps) {
  const texts = useMessages(SYSTEM_MESSAGES);
  const formats = useFormats();
  const text = useListText()(jobs, texts.noJobs);
  return (
    <Panel title={texts.jobs} text={text}>
      {jobs !== null && text === undefined && (
        <Table
          label={texts.jobs}
          columns={[
            texts.type,
            texts.count,
            texts.progress,
            texts.failures,
            texts.still,
            texts.waits,
          ]}
        >
          {jobs.map((job) => (
            <tr key={job.type}>
              <th scope="row">{job.type}</th>
              <td>{formats.number(job.jobs)}</td>
              <td>
                {formats.number(job.done)} / {formats.number(job.total)}
              </td>
              <td>{formats.number(job.failed)}</td>
              <td>{formats.seconds(job.still_seconds)}</td>
              <td>{formats.seconds(job.waiting_seconds)}</td>
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  );
}

/** The indexes that follow the changes of the database. */
export function IndexesPanel({ status: { indexes } }: StatusProps) {
  const texts = useMessages(SYSTEM_MESSAGES);
  const formats = useFormats();
  const text = useListText()(indexes, texts.noIndexes);
  const describe = useIndexTexts();
  return (
    <Panel title={texts.indexes} text={text}>
      {indexes !== null && text === undefined && (
        <Table
          label={texts.indexes}
          columns={[texts.name, texts.state, texts.backlog, texts.oldest, texts.drift, texts.seen]}
        >
          {indexes.map((index) => (
            <tr key={index.name}>
              <th scope="row">{index.name}</th>
              <td>{describe.state(index)}</td>
              <td>{formats.number(index.backlog)}</td>
              <td>{formats.seconds(index.oldest_seconds)}</td>
              <td>{describe.drift(index)}</td>
              <td>{texts.ago(formats.seconds(index.seen_seconds))}</td>
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  );
}

function useIndexTexts() {
  const texts = useMessages(SYSTEM_MESSAGES);
  const formats = useFormats();
  return {
    state: ({ state, filling }: Index) =>
      state === 'unfilled' && filling !== null
        ? texts.unfilledWith(formats.number(filling))
        : texts[state],
    drift: ({ drift }: Index) =>
      drift === null
        ? texts.notCompared
        : texts.driftText(
            formats.number(drift.missing),
            formats.number(drift.extra),
            formats.number(drift.stale),
          ),
  };
}

/** The events and messages that wait. */
export function QueuesPanel({ status: { outbox, events, deliveries } }: StatusProps) {
  const texts = useMessages(SYSTEM_MESSAGES);
  const formats = useFormats();
  const facts: Fact[] = [];
  if (outbox !== null) {
    const age = formats.seconds(outbox.oldest_transaction_seconds);
    facts.push({ name: texts.outbox, value: formats.number(outbox.events) });
    facts.push({ name: texts.transaction, value: age });
  }
  if (events !== null) {
    const { relay, feed, webhooks } = events.lag_seconds;
    facts.push({ name: texts.transport, value: texts[events.transport] });
    if (relay !== null) facts.push({ name: texts.relayLag, value: formats.seconds(relay) });
    facts.push({ name: texts.feedLag, value: formats.seconds(feed) });
    facts.push({ name: texts.webhookLag, value: formats.seconds(webhooks) });
  }
  if (deliveries !== null) {
    facts.push({ name: texts.first, value: formats.number(deliveries.first) });
    facts.push({ name: texts.oldestMessage, value: formats.seconds(deliveries.oldest_seconds) });
    facts.push({ name: texts.repeated, value: formats.number(deliveries.repeated) });
  }
  const isWhole = outbox !== null && events !== null && deliveries !== null;
  return (
    <Panel title={texts.queues} text={isWhole ? undefined : texts.notRead}>
      <Facts facts={facts} />
    </Panel>
  );
}
