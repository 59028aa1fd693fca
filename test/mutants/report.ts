import type { MutantResult } from './mutant-run.ts';

/** What a run has come to: its lines, as JSON, and whether every rule is held. */
export interface MutantReport {
  readonly lines: readonly string[];
  readonly json: string;
  readonly isGood: boolean;
}

interface Finding {
  result: MutantResult;
  text: string;
}

/** A survivor that the list explains is as good as a kill; one that it explains wrongly is not. */
export function reportOf(results: readonly MutantResult[], seconds: number): MutantReport {
  const count = (outcome: MutantResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length;
  const findings = results.flatMap((result) => findingOf(result));
  const explained = results.filter(
    ({ outcome, mutant }) => outcome === 'SURVIVED' && mutant.equivalent !== undefined,
  );
  const figures = {
    mutants: results.length,
    killed: count('KILLED'),
    survived: count('SURVIVED'),
    explained: explained.length,
    timedOut: count('TIMED_OUT'),
    notRun: count('NOT_RUN'),
    seconds: Math.round(seconds),
  };
  return {
    lines: [
      '',
      ...findings.map(({ text }) => `FINDING ${text}`),
      ...explained.map(({ mutant }) => `explained ${mutant.id}: ${mutant.equivalent}`),
      Object.entries(figures)
        .map(([name, value]) => `${name} ${value}`)
        .join(', '),
    ],
    json: JSON.stringify({ figures, results: results.map(rowOf) }, null, 2),
    isGood: findings.length === 0,
  };
}

function findingOf(result: MutantResult): Finding[] {
  const { outcome, mutant, by } = result;
  const isExplained = mutant.equivalent !== undefined;
  if (outcome === 'KILLED' && !isExplained) return [];
  if (outcome === 'SURVIVED' && isExplained) return [];
  if (outcome === 'KILLED') {
    return [{ result, text: `${mutant.id} is explained, but a test notices it: ${by}` }];
  }
  return [{ result, text: `${outcome} ${mutant.id} (${mutant.file}): ${mutant.rule} [${by}]` }];
}

function rowOf({ mutant, outcome, by, seconds }: MutantResult) {
  const { id, rule, file, specs, equivalent } = mutant;
  return { id, rule, file, specs, outcome, by, equivalent, seconds: Math.round(seconds) };
}
