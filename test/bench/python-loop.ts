import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { SelectedPacks } from '@sightline/engine/packs/select-packs';
import type { Photo } from './photos.ts';
import { photosOf, type Run, type RunResult, type Workload, WORKLOADS } from './workloads.ts';

const SCRIPT = resolve(import.meta.dirname, 'python/bare_loop.py');
/** The architectures that the script decodes. */
const DECODED: ReadonlySet<string> = new Set(['scrfd', 'arcface', 'yolov8']);

/** The side of a network's input if its file leaves the size open. */
const DEFAULT_SIDE = 640;

/**
 * A plain Python loop that runs the same networks over the same images, with OpenCV, NumPy and onnxruntime.
 * Several processes share the work, because a Python process computes with one thread at a time.
 */
export class PythonLoop implements AsyncDisposable {
  readonly #processes: readonly PythonProcess[];
  readonly #photos: readonly Photo[];
  readonly #roles: ReadonlySet<string>;

  private constructor(
    processes: readonly PythonProcess[],
    photos: readonly Photo[],
    roles: ReadonlySet<string>,
  ) {
    this.#processes = processes;
    this.#photos = photos;
    this.#roles = roles;
  }

  /** @returns null if this machine has no Python with the loop's packages */
  static async start(
    models: SelectedPacks,
    photos: readonly Photo[],
    processes: number,
  ): Promise<PythonLoop | null> {
    const python = process.env.SIGHTLINE_BENCH_PYTHON ?? 'python3';
    if (!(await hasPackages(python))) return null;
    await using folder = await photoFolder(photos);
    const components = Object.fromEntries(decodedComponents(models));
    const given = JSON.stringify({
      components,
      photos: folder.paths,
      faceThreshold: WORKLOADS.faces.analysis.faces.detectionThreshold,
      objectThreshold: WORKLOADS.objects.analysis.objects.confidenceThreshold,
    });
    const started = Array.from(
      { length: processes },
      () =>
        new PythonProcess(spawn(python, [SCRIPT, given], { stdio: ['pipe', 'pipe', 'inherit'] })),
    );
    // Each process answers when it has read the photos.
    await Promise.all(started.map((each) => each.answer()));
    return new PythonLoop(started, photos, new Set(Object.keys(components)));
  }

  /** Whether the script can run this analysis with these models. */
  does({ analysis }: Workload): boolean {
    if (analysis.renditions !== undefined) return false;
    return analysis.faces === undefined
      ? this.#roles.has('ObjectDetector')
      : this.#roles.has('FaceDetector') && this.#roles.has('FaceRecognizer');
  }

  async run({ workload: name, first = 0, operations }: Run): Promise<RunResult> {
    const workload: Workload = WORKLOADS[name];
    const task = workload.analysis.faces === undefined ? 'objects' : 'faces';
    const indices = [...this.#photos.keys()];
    const milliseconds: number[] = [];
    let found = 0;
    let next = first;
    const start = performance.now();
    const work = async (process: PythonProcess): Promise<void> => {
      for (let at = next++; at < first + operations; at = next++) {
        const sent = performance.now();
        const more = await process.ask({ task, photos: photosOf(workload, indices, at) });
        found += more;
        milliseconds.push(performance.now() - sent);
      }
    };
    await Promise.all(this.#processes.map(work));
    return { seconds: (performance.now() - start) / 1000, milliseconds, found };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#processes.map((process) => process.end()));
  }
}

async function hasPackages(python: string): Promise<boolean> {
  const child = spawn(python, ['-c', 'import cv2, numpy, onnxruntime'], { stdio: 'ignore' });
  const code = await once(child, 'exit').then(
    ([exitCode]) => exitCode as number | null,
    () => null,
  );
  return code === 0;
}

class PythonProcess {
  readonly #child: ChildProcess;
  readonly #exit: Promise<unknown>;
  readonly #answers: AsyncIterator<string>;
  readonly #lines: Interface;

  constructor(child: ChildProcess) {
    this.#child = child;
    this.#exit = once(child, 'exit');
    this.#lines = createInterface({ input: child.stdout! });
    this.#answers = this.#lines[Symbol.asyncIterator]();
  }

  async answer(): Promise<{ readonly found?: number }> {
    const { value, done } = await this.#answers.next();
    if (done === true) throw new Error('The Python loop ended.');
    return JSON.parse(value) as { readonly found?: number };
  }

  async ask(request: {
    readonly task: string;
    readonly photos: readonly number[];
  }): Promise<number> {
    this.#child.stdin!.write(`${JSON.stringify(request)}\n`);
    return (await this.answer()).found!;
  }

  async end(): Promise<void> {
    this.#child.stdin!.end();
    await this.#exit;
    this.#lines.close();
  }
}

/** The networks that the script decodes, by their roles. */
function decodedComponents({ face, object }: SelectedPacks) {
  return [face, object].flatMap((pack) =>
    (pack?.manifest.components ?? [])
      .filter(({ architecture }) => DECODED.has(architecture))
      .map(({ role, file, input, mean, std }) => {
        const { width, height } = input;
        const size = { width: width ?? DEFAULT_SIDE, height: height ?? DEFAULT_SIDE };
        return [role, { path: join(pack!.directory, file), mean, std, ...size }] as const;
      }),
  );
}

/** Writes the photos to a folder. The script needs it only until it has read them. */
async function photoFolder(
  photos: readonly Photo[],
): Promise<AsyncDisposable & { readonly paths: readonly string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-'));
  const paths = photos.map(({ name }) => join(folder, name));
  await Promise.all(photos.map(({ bytes }, index) => writeFile(paths[index]!, bytes)));
  return { paths, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}
