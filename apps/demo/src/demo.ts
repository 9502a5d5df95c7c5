import type { OutputFolder } from './pictures/output-folder.ts';
import type { RunningService } from './service/run-service.ts';
import type { Terminal } from './terminal/terminal.ts';

export interface Demo {
  readonly service: RunningService;
  readonly terminal: Terminal;
  readonly output: OutputFolder;
}
