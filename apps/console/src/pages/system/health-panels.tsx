import type { OperationBody } from '../../client/operations.ts';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import styles from './system.module.css';
import { SYSTEM_MESSAGES } from './system-messages.ts';

export interface StatusProps {
  readonly status: OperationBody<'getSystemStatus'>;
}

const LOOKS = { ok: undefined, degraded: 'warn', unavailable: 'bad' } as const;

/** Whether the installation works, and the reasons if it does not. */
export function HealthPanel({ status: { health, version, uptime_seconds: uptime } }: StatusProps) {
  const texts = useMessages(SYSTEM_MESSAGES);
  const formats = useFormats();
  const look = LOOKS[health.status];
  const checks = ['database', 'vectors', 'media', 'events'] as const;
  return (
    <Panel title={texts.health}>
      <Notice {...(look && { look })}>
        <p className={styles.strong}>{texts[health.status]}</p>
        {health.reasons.length > 0 && (
          <ul className={styles.reasons}>
            {health.reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        )}
      </Notice>
      <Facts
        facts={[
          ...checks.map((name) => ({
            name: texts[name],
            value:
              health.checks[name] === 'ok' ? (
                `✓ ${texts.checkOk}`
              ) : (
                <span className={styles.bad}>✗ {texts.checkFailed}</span>
              ),
          })),
          { name: texts.version, value: version },
          { name: texts.uptime, value: formats.seconds(uptime) },
          {
            name: texts.provider,
            value: health.provider === null ? texts.none : texts[health.provider],
          },
        ]}
      />
    </Panel>
  );
}

export function RequestsPanel({ status: { requests } }: StatusProps) {
  const texts = useMessages(SYSTEM_MESSAGES);
  const formats = useFormats();
  return (
    <Panel title={texts.requests}>
      <Facts
        facts={[
          { name: texts.inFlight, value: formats.number(requests.in_flight) },
          { name: texts.limit, value: formats.number(requests.limit) },
          { name: texts.waiting, value: formats.number(requests.waiting) },
        ]}
      />
    </Panel>
  );
}

export function StoragePanel({ status: { storage } }: StatusProps) {
  const texts = useMessages(SYSTEM_MESSAGES);
  const formats = useFormats();
  const bytes = (size: number | null) => (size === null ? texts.unknown : formats.bytes(size));
  return (
    <Panel title={texts.storage}>
      <Facts
        facts={[
          { name: texts.stored, value: bytes(storage.stored_bytes) },
          { name: texts.setAside, value: bytes(storage.set_aside_bytes) },
          { name: texts.free, value: bytes(storage.free_bytes) },
          { name: texts.databaseSize, value: bytes(storage.database_bytes) },
          { name: texts.databaseFree, value: bytes(storage.database_free_bytes) },
        ]}
      />
    </Panel>
  );
}
