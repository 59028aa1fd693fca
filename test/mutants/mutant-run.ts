import { staleMutants } from './stale-mutants.ts';
import type { Mutant } from './mutant.ts';
import { mistypedMutants } from './mutant-types.ts';
import { runSpecs, type SpecRun, type Title } from './spec-run.ts';
import { copyTree, type TreeCopy } from './tree-copy.ts';

export interface MutantRunOptions {
  readonly root: string;
  readonly mutants: readonly Mutant[];
  readonly jobs: number;
  /** For the specs and everything of one mutant. */
  readonly timeoutMs: number;
  readonly hasBaseline: boolean;
  /** On top of the process's own. */
  readonly environment: Record<string, string>;
  readonly signal: AbortSignal;
  readonly tell: (line: string) => void;
}

/** How a mutant fared; `by` is the first test that failed, or why none could be asked. */
export interface MutantResult {
  readonly mutant: Mutant;
  readonly outcome: 'KILLED' | 'SURVIVED' | 'TIMED_OUT' | 'NOT_RUN';
  readonly by: string;
  readonly seconds: number;
}

/** The unbroken specs of a mutant run for longer than those of a copy that fails early. */
const BASELINE_TIMES = 10;

/**
 * Runs the specs concerned unbroken, then each mutant's against its broken copy.
 * @throws Error when the list does not fit the tree, or a spec fails without anything being broken
 */
export async function runMutants(options: MutantRunOptions): Promise<MutantResult[]> {
  const { root, mutants, jobs, hasBaseline, tell } = options;
  refuse(staleMutants(root, mutants));
  refuse(mistypedMutants(root, mutants));
  const copies = Array.from({ length: Math.min(jobs, mutants.length) }, () => copyTree(root));
  try {
    if (hasBaseline) await runBaseline(options, copies);
    let done = 0;
    return await shared(copies, mutants, async (copy, mutant) => {
      const result = await runMutant(options, copy, mutant);
      done += 1;
      const seconds = `${result.seconds.toFixed(0)} s`.padStart(5);
      const place = `${done}/${mutants.length}`.padStart(7);
      tell(`${place} ${seconds} ${result.outcome.padEnd(9)} ${mutant.id}  <- ${result.by}`);
      return result;
    });
  } finally {
    for (const copy of copies) copy.remove();
  }
}

function refuse(complaints: readonly string[]): void {
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
}

/** Every spec concerned, each in one of the copies. */
async function runBaseline(options: MutantRunOptions, copies: TreeCopy[]): Promise<void> {
  const { mutants, timeoutMs, tell } = options;
  const specs = [...new Set(mutants.flatMap((mutant) => mutant.specs))];
  tell(`Unbroken: ${specs.length} spec files`);
  const shares = copies
    .map((copy, place) => ({
      copy,
      share: specs.filter((_, index) => index % copies.length === place),
    }))
    .filter(({ share }) => share.length > 0);
  const runs = await Promise.all(
    shares.map(({ copy: { dir }, share }) =>
      runSpecs({ ...options, dir, specs: share, timeoutMs: timeoutMs * BASELINE_TIMES }),
    ),
  );
  refuse(runs.flatMap(baselineComplaints));
  const titles = runs.flatMap((run) => (run.outcome === 'PASSED' ? run.titles : []));
  refuse(mutants.flatMap((mutant) => filterComplaints(mutant, titles)));
}

function baselineComplaints(run: SpecRun): string[] {
  if (run.outcome === 'PASSED') return [];
  if (run.outcome === 'FAILED') return [`Without anything broken this fails: ${run.by}`];
  if (run.outcome === 'TIMED_OUT') return ['Without anything broken the specs do not end in time'];
  return [`Without anything broken nothing ran: ${run.why}`];
}

function filterComplaints({ id, specs, only }: Mutant, titles: readonly Title[]): string[] {
  const filter = new RegExp(only ?? '');
  return specs
    .filter((spec) => !titles.some((one) => one.spec === spec && filter.test(one.title)))
    .map((spec) => `${id}: ${spec} has no test that its filter lets through`);
}

async function runMutant(
  options: MutantRunOptions,
  copy: TreeCopy,
  mutant: Mutant,
): Promise<MutantResult> {
  const startedAt = performance.now();
  const undo = copy.breakBy(mutant);
  try {
    const { specs, only } = mutant;
    const run = await runSpecs({ ...options, dir: copy.dir, specs, only });
    return { mutant, ...verdictOf(run), seconds: (performance.now() - startedAt) / 1_000 };
  } finally {
    undo();
  }
}

function verdictOf(run: SpecRun): Pick<MutantResult, 'outcome' | 'by'> {
  switch (run.outcome) {
    case 'FAILED':
      return { outcome: 'KILLED', by: run.by };
    case 'PASSED':
      return { outcome: 'SURVIVED', by: `${run.titles.length} tests passed` };
    case 'TIMED_OUT':
      return { outcome: 'TIMED_OUT', by: 'the specs did not end in time' };
    case 'NOT_RUN':
      return { outcome: 'NOT_RUN', by: run.why };
  }
}

/** Each item once, by whichever worker is free; results in the order of the items. */
async function shared<Worker, Item, Result>(
  workers: readonly Worker[],
  items: readonly Item[],
  work: (worker: Worker, item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  await Promise.all(
    workers.map(async (worker) => {
      for (const [place, item] of queue) results[place] = await work(worker, item);
    }),
  );
  return results;
}
