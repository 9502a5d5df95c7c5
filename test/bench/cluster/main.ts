import { parseArgs } from 'node:util';
import { describeCores } from '../machine.ts';
import { showSection } from '../show-section.ts';
import { measureApiPods } from './measure-api-pods.ts';
import { measureOperator } from './measure-operator.ts';
import { measureSwitches, MOST_SWITCHES } from './measure-switches.ts';
import { apiPodsSection, operatorSection, switchesSection } from './report-cluster.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    models: { type: 'string', default: '500' },
    namespaces: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '120' },
    count: { type: 'string', default: '10' },
  },
});

const [part] = positionals;
const command = `make bench-cluster${values.write ? ' ARGS=--write' : ''}`;
const head = { command, machine: await describeCores() };
if (part === 'operator') {
  const figures = await measureOperator({
    models: Number(values.models),
    namespaces: Number(values.namespaces),
    restSeconds: Number(values.seconds),
  });
  await showSection('operator', operatorSection(figures, head), values.write);
} else if (part === 'switches' && Number(values.count) <= MOST_SWITCHES) {
  const figures = await measureSwitches({ count: Number(values.count) });
  for (const failure of figures.failures) console.error(failure);
  await showSection('switches', switchesSection(figures, head), values.write);
} else if (part === 'api') {
  const figures = await measureApiPods(Number(values.models));
  await showSection('api-pods', apiPodsSection(figures, head), values.write);
} else {
  throw new RangeError(
    `Name a part, operator, api or switches, with at most ${MOST_SWITCHES} of them.`,
  );
}
