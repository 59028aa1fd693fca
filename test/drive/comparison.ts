/** One observation: a response, a page, an event or a text message. */
export interface Step {
  readonly what: string;
  readonly [part: string]: unknown;
}

export interface ScenarioRecord {
  readonly scenario: string;
  readonly steps: readonly Step[];
}

/** Every difference between two records of a scenario: one line each, with its place. */
export function differences(before: ScenarioRecord, after: ScenarioRecord): string[] {
  const length = Math.max(before.steps.length, after.steps.length);
  for (let index = 0; index < length; index += 1) {
    const [was, is] = [before.steps[index], after.steps[index]];
    if (was?.what === is?.what) continue;
    // From here the events differ, so a comparison step by step is useless.
    const same = stepDifferences(before, after, index);
    const change = `step ${index + 1} was ${was?.what ?? 'absent'}, is ${is?.what ?? 'absent'}`;
    return [...same, `${before.scenario}: ${change}`];
  }
  return stepDifferences(before, after, length);
}

function stepDifferences(before: ScenarioRecord, after: ScenarioRecord, end: number): string[] {
  return before.steps.slice(0, end).flatMap((was, index) => {
    const place = `${before.scenario}: step ${index + 1} ${was.what}`;
    return valueDifferences(was, after.steps[index], '').map((line) => `${place}: ${line}`);
  });
}

function valueDifferences(was: unknown, is: unknown, path: string): string[] {
  if (isLines(was) && isLines(is)) return lineDifferences(was, is, path);
  if (isParts(was) && isParts(is)) {
    const names = new Set([...Object.keys(was), ...Object.keys(is)]);
    return [...names].flatMap((name) =>
      valueDifferences(was[name], is[name], path === '' ? name : `${path}.${name}`),
    );
  }
  if (JSON.stringify(was) === JSON.stringify(is)) return [];
  return [`${path} was ${shown(was)}, is ${shown(is)}`];
}

/** Lines that only one of the two pages has, so that an inserted line is one difference. */
function lineDifferences(was: readonly string[], is: readonly string[], path: string): string[] {
  const gone = without(was, is).map((line) => `${path} lost ${shown(line)}`);
  const added = without(is, was).map((line) => `${path} gained ${shown(line)}`);
  const isMoved = gone.length + added.length === 0 && was.join('\n') !== is.join('\n');
  return isMoved ? [`${path} has its lines in another order`] : [...gone, ...added];
}

function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return lines.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function isLines(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isParts(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object';
}

function shown(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}
