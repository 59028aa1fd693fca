import { NotRun } from '../case.ts';
import type { Checks } from '../checks.ts';
import type { Asked } from '../loan/asked.ts';
import type { Kit } from '../loan/kit.ts';
import { describe, type Exchange } from '../wire/lender-client.ts';
import { QUESTIONS, type QuestionName } from '../wire/messages.ts';

/** Validates every verdict of one question against the document. */
export function verdictsAreAsWritten(kit: Kit, check: Checks, name: QuestionName | 'LOANS'): void {
  const verdicts = kit.client.exchanges.filter((one) => one.name === name && one.status === 200);
  const [last] = kit.client.exchanges.filter((one) => one.name === name).toReversed();
  if (verdicts.length === 0) {
    throw new NotRun(`no verdict to ${name} was seen${last ? `: ${describe(last)}` : ''}`);
  }
  const schema = name === 'LOANS' ? 'LoansVerdict' : QUESTIONS[name].schema;
  check.each(`as ${schema} in the document`, verdicts, ({ json }) =>
    kit.parts.messages.problem(schema, json),
  );
}

/** Checks the verdict's word. Another case checks invalid messages. */
export function expectVerdict(check: Checks, asked: Asked, ...words: readonly string[]): boolean {
  const { verdict, last, question } = asked;
  if (!verdict && last.status === 200) {
    throw new NotRun(`the verdict to ${question.name} does not match the document`);
  }
  const holds = words.includes(String(verdict?.['verdict']));
  return check.that(holds, `${words.join(' or ')} to ${question.name}`, describe(last));
}

/** Checks that these results did not happen. */
export function expectNever(check: Checks, exchange: Exchange, ...words: readonly string[]): void {
  const word = (exchange.json as { verdict?: string } | undefined)?.verdict;
  const isIt = exchange.status === 200 && word !== undefined && words.includes(word);
  check.that(!isIt, `no ${words.join(', no ')}`, describe(exchange));
}
