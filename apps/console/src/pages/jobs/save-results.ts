import { saveFile } from '../../ui/save-file.ts';

/** Saves the results of a job: the archive of an export, or JSON. */
export function saveResults(results: unknown, name: string): void {
  if (results instanceof Blob) {
    saveFile(results, `${name}.zip`);
    return;
  }
  const json = JSON.stringify(results, null, 2);
  saveFile(new Blob([json], { type: 'application/json' }), `${name}.json`);
}
