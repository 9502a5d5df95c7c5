import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Table } from '../../ui/table.tsx';
import type { StatusProps } from './health-panels.tsx';
import styles from './system.module.css';
import { SYSTEM_MESSAGES } from './system-messages.ts';

/** The processes that are connected to the database. */
export function ProcessesPanel({ status: { processes } }: StatusProps) {
  const texts = useMessages(SYSTEM_MESSAGES);
  const formats = useFormats();
  return (
    <Panel title={texts.processes} text={processes === null ? texts.notRead : undefined}>
      {processes !== null && (
        <Table
          label={texts.processes}
          columns={[
            texts.role,
            texts.version,
            texts.address,
            texts.connections,
            texts.since,
            texts.beat,
          ]}
        >
          {processes.map((process, row) => (
            // Processes of earlier releases have no id.
            <tr key={process.id ?? row}>
              <th scope="row">{texts[process.role]}</th>
              <td>{process.version ?? texts.unknown}</td>
              <td>{process.address ?? texts.local}</td>
              <td>{formats.number(process.connections)}</td>
              <td>
                {process.connected_at === null
                  ? texts.unknown
                  : formats.dateTime(process.connected_at)}
              </td>
              <td>
                {process.idle_seconds === null
                  ? texts.unknown
                  : texts.ago(formats.seconds(process.idle_seconds))}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  );
}

/** The processes that run models, and the state of each model in them. */
export function InferencePanel({ status: { inference } }: StatusProps) {
  const texts = useMessages(SYSTEM_MESSAGES);
  const formats = useFormats();
  return (
    <Panel title={texts.inference} text={inference === null ? texts.notRead : undefined}>
      {inference !== null && (
        <Table
          label={texts.inference}
          columns={[texts.process, texts.provider, texts.model, texts.state, texts.deaths]}
        >
          {inference.flatMap((process, index) => {
            const name = formats.number(index + 1);
            const state = `${name} – ${process.ready ? texts.ready : texts.notReady}`;
            if (process.models.length === 0) {
              return [
                <tr key={name}>
                  <th scope="row">{state}</th>
                  <td>{texts[process.provider]}</td>
                  <td colSpan={3}>{texts.none}</td>
                </tr>,
              ];
            }
            return process.models.map((model) => (
              <tr key={`${name} ${model.name}`}>
                <th scope="row">{state}</th>
                <td>{texts[process.provider]}</td>
                <td>{model.name}</td>
                <td>
                  {texts[model.state]}
                  {model.error !== null && <div className={styles.bad}>{model.error}</div>}
                </td>
                <td>{formats.number(model.deaths)}</td>
              </tr>
            ));
          })}
        </Table>
      )}
    </Panel>
  );
}
