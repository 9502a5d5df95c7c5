import { type Bench, type Goal, type Measured, passesIn, repeat } from './bench.ts';
import { spreadCell } from './cells.ts';
import { markdownTable } from './markdown-table.ts';
import { PythonLoop } from './python-loop.ts';
import { inFlight, openSides, type Sides } from './sides.ts';
import { median } from './statistics.ts';
import type { Subject } from './subjects.ts';
import { type RunResult, WORKLOADS, type WorkloadName } from './workloads.ts';

interface Compared extends Sides {
  readonly bench: Bench;
  readonly python: PythonLoop | null;
}

interface Round {
  readonly bare: RunResult;
  readonly served: RunResult;
  readonly runtime: RunResult;
  readonly python: RunResult | null;
  /** The share of a core that the load generator takes. */
  readonly generator: number;
}

/**
 * The share of things by which the Python loop may differ, because it pads photos to a square as the models' own code
 * does. The service cuts the input to the photo, which moves some scores over the threshold.
 */
const PYTHON_DIFFERENCE = 0.05;

/** The rounds of a workload. */
interface Figures {
  readonly workload: WorkloadName;
  readonly images: number;
  readonly rounds: readonly Round[];
}

export async function measureThroughput(bench: Bench): Promise<Measured> {
  const subjects = await bench.subjects();
  const all: Figures[][] = [];
  for (const subject of subjects) all.push(await measureSubject(bench, subject));
  const { workers, seconds, rounds } = bench;
  const hasPython = all.flat().some(({ rounds: [round] }) => round?.python);
  const tables = subjects.map(({ name }, at) => `With ${name}:\n\n${tableOf(all[at]!)}`);
  const text = `## Throughput

- *Bare loop*: ${workers} threads with sessions of their own decode and analyze the images from memory, with the
  engine's pipelines but without HTTP, queue and messages.
- *Served*: the same images are posted as forms, over keep-alive connections, to the service with ${workers} worker
  threads.
- *Runtime*: onnxruntime alone, on tensors prepared beforehand.
- *Python*: ${workers} processes of a plain Python loop with the same networks on the same images, with OpenCV,
  NumPy and onnxruntime of one thread each. ${
    hasPython
      ? 'It knows SCRFD, ArcFace and YOLOv8, pads photos to a square, and stores nothing.'
      : 'Not measured: `SIGHTLINE_BENCH_PYTHON` names no interpreter with these packages.'
  }

For \`/api/detect/faces\` the bare loop also encodes the image and the crops, and each posted image is new to the
service, which stores it with its faces, vectors and events.

The sides take turns of about ${seconds} s, in ${rounds} rounds. A ratio is computed per round and shown as its median
(least to greatest). The load generator runs on the same machine and takes CPU from the service. The models are
measured one after the other: compare the ratios of two tables; compare their images per second only if the machine
was equally fast for both.

${tables.join('\n\n')}`;
  return { text, goals: goalsOf(all) };
}

async function measureSubject(bench: Bench, subject: Subject): Promise<Figures[]> {
  await using resources = new AsyncDisposableStack();
  const sides = resources.use(await openSides(bench, subject));
  const loop = await PythonLoop.start(subject.models, sides.photos, bench.workers);
  const python = loop && resources.use(loop);
  const figures: Figures[] = [];
  for (const workload of subject.throughput) {
    figures.push(await measureWorkload({ ...sides, python, bench }, workload));
  }
  return figures;
}

async function measureWorkload(sides: Compared, workload: WorkloadName): Promise<Figures> {
  const photos = sides.photos.length;
  const { bare, served, python } = await measureRound(sides, { workload, operations: photos });
  const different = (found: number, share: number) =>
    Math.abs(served.found - found) > served.found * share;
  if (different(bare.found, 0) || different(python?.found ?? served.found, PYTHON_DIFFERENCE)) {
    const found = { served: served.found, bare: bare.found, python: python?.found };
    throw new Error(`${workload}: the sides find different things: ${JSON.stringify(found)}.`);
  }
  const trial = await measureRound(sides, { workload, operations: photos });
  const operations = photos * passesIn(sides.bench, trial.bare.seconds);
  const rounds = await repeat(sides.bench.rounds, () =>
    measureRound(sides, { workload, operations }),
  );
  return { workload, images: operations * WORKLOADS[workload].fields.length, rounds };
}

async function measureRound(
  { bench, bare, served, python }: Compared,
  run: { readonly workload: WorkloadName; readonly operations: number },
): Promise<Round> {
  const bareResult = await bare.run({ ...run, side: 'bare' });
  const before = process.cpuUsage();
  const servedResult = await served.run({ ...run, concurrency: inFlight(bench) });
  const { user, system } = process.cpuUsage(before);
  return {
    bare: bareResult,
    served: servedResult,
    runtime: await bare.run({ ...run, side: 'runtime' }),
    python: python?.does(WORKLOADS[run.workload]) ? await python.run(run) : null,
    generator: (user + system) / 1e6 / servedResult.seconds,
  };
}

function shares({ rounds }: Figures): number[] {
  return rounds.map(({ bare, served }) => bare.seconds / served.seconds);
}

function pythonShares({ rounds }: Figures): number[] {
  return rounds.flatMap(({ python, served }) => (python ? [python.seconds / served.seconds] : []));
}

function tableOf(all: readonly Figures[]): string {
  const missing = 'not measured';
  return markdownTable(
    [
      'endpoint',
      'bare images/s',
      'served images/s',
      'served / bare',
      'runtime / bare time',
      'Python images/s',
      'served / Python',
      'generator',
    ],
    all.map((figures) => {
      const { workload, images, rounds } = figures;
      const rate = (seconds: readonly number[]) => (images / median(seconds)).toFixed(1);
      const python = rounds.flatMap((round) => (round.python ? [round.python.seconds] : []));
      return [
        `\`${WORKLOADS[workload].endpoint}\``,
        rate(rounds.map(({ bare }) => bare.seconds)),
        rate(rounds.map(({ served }) => served.seconds)),
        spreadCell(shares(figures), 3),
        spreadCell(
          rounds.map(({ bare, runtime }) => runtime.seconds / bare.seconds),
          3,
        ),
        python.length === 0 ? missing : rate(python),
        python.length === 0 ? missing : spreadCell(pythonShares(figures), 3),
        `${(100 * median(rounds.map(({ generator }) => generator))).toFixed(1)} % of a core`,
      ];
    }),
  );
}

/** A cell is empty if the value was not measured with the models. */
function goalsOf(all: readonly (readonly Figures[])[]): readonly Goal[] {
  const least = (names: readonly WorkloadName[], of: (figures: Figures) => number[]) =>
    all.map((own) => {
      const values = own
        .filter(({ workload }) => names.includes(workload))
        .map(of)
        .filter(({ length }) => length > 0);
      return values.length === 0 ? null : Math.min(...values.map(median));
    });
  const cells = (values: readonly (number | null)[], empty = '') =>
    values.map((value) => value?.toFixed(3) ?? empty);
  const tested = least(['faces'], shares);
  const identified = least(['identify'], shares).map((share, at) => share && share / tested[at]!);
  return [
    [
      'served throughput without storing / bare loop (lowest endpoint)',
      'at least 0.95',
      ...cells(least(['faces', 'objects', 'verify'], shares)),
    ],
    [
      'served throughput without storing / bare Python loop (lowest endpoint)',
      'at least 0.95',
      ...cells(least(['faces', 'objects', 'verify'], pythonShares), 'not measured'),
    ],
    [
      'throughput of stored detection / bare loop that also encodes',
      'at least 0.85',
      ...cells(least(['detect'], shares)),
    ],
    ['throughput of `/api/identify` / `/api/test`', 'at least 0.95', ...cells(identified)],
  ];
}
