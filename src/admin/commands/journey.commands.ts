import type { Command } from 'commander';
import { type JourneyReport, JourneyReports, JourneyReportsModule } from '../../journeys/index.js';
import { formatRupees } from '../../loans/index.js';
import { Refusal } from '../refusal.js';
import { type CommandContext, textTable } from './command-context.js';

export function addJourneyCommands(program: Command, { reading, print }: CommandContext): void {
  program
    .command('journeys')
    .description('loan journeys')
    .command('show')
    .description('show a journey’s steps with evidence, its lenders’ answers, its moves and flags')
    .argument('<id>', 'the journey’s id')
    .action(async (id: string) => {
      const report = await reading(
        (context) => context.get(JourneyReports).find(id),
        [JourneyReportsModule],
      );
      if (!report) throw new Refusal(`There is no journey ${id}.`);
      print(textOf(report));
    });
}

function textOf(report: JourneyReport): string {
  const { steps, moves, answers, flags } = report;
  const tables: readonly (readonly [string, readonly object[]])[] = [
    [
      'Steps',
      steps.map(({ step, lenderCode, attempt, verdict, evidence }) => ({
        step,
        lender: lenderCode,
        attempt,
        verdict: verdict ?? '(none)',
        evidence: words(evidence),
      })),
    ],
    [
      'Answers of lenders',
      answers.map(({ receivedAt, lenderCode, kind, isErased, answer }) => ({
        at: receivedAt.toISOString(),
        lender: lenderCode,
        question: kind,
        answer: answer?.kind ?? (isErased ? '(erased)' : '(cannot be decrypted)'),
        words: answer ? answerWords(answer) : '',
      })),
    ],
    [
      'Moves',
      moves.map(({ createdAt, trigger, toState }) => ({
        at: createdAt.toISOString(),
        trigger,
        to: toState,
      })),
    ],
    [
      'Flags',
      flags.map(({ createdAt, lastSeenAt, kind, count, detail, resolvedAt }) => ({
        at: createdAt.toISOString(),
        last: lastSeenAt.toISOString(),
        kind,
        count,
        open: resolvedAt === null ? 'yes' : 'no',
        detail: JSON.stringify(detail),
      })),
    ],
  ];
  const parts = tables.map(([title, rows]) => `${title}\n${textTable(rows)}`);
  return [headOf(report).join('\n'), ...parts].join('\n\n');
}

function headOf({ journey, lender }: JourneyReport): string[] {
  const { id, state, outcomeReason, applicationId, partnerId, productCode, channel } = journey;
  const { payout, disbursedAt } = journey;
  const statement = lender?.statement;
  return [
    `${id}: ${state}${outcomeReason ? ` (${outcomeReason})` : ''}`,
    `Application ${applicationId} of ${partnerId}, ${productCode}, ${channel}`,
    ...(lender
      ? [
          `Lender ${lender.code}: offer ${lender.offerReference}, application ` +
            (lender.applicationReference ?? '(none)'),
        ]
      : []),
    ...(statement
      ? [
          `Statement ${statement.contentHash}, chosen ${statement.frozenAt.toISOString()}, ` +
            `acknowledged ${statement.acknowledgedAt?.toISOString() ?? '(not yet)'}`,
          `Lender’s signature of the statement: ${statement.lenderSignature ?? '(none)'}`,
        ]
      : []),
    ...(payout
      ? [
          `Paid out: ${formatRupees(payout.amount)} on ${disbursedAt?.toISOString() ?? '?'}, transfer ` +
            `${payout.transferReference}, loan ${payout.loanReference ?? '(unnamed)'}, to the account ` +
            `ending in ${payout.accountLastFour ?? '(unknown)'}`,
        ]
      : []),
  ];
}

type Answer = NonNullable<JourneyReport['answers'][number]['answer']>;

/** Omits the long offers: the statement has the chosen one. */
function answerWords(answer: Answer): string {
  if (answer.kind === 'OFFERED') return words({ offers: answer.offers.length });
  const { kind: _kind, ...rest } = answer;
  return words(rest);
}

function words(facts: object | null | undefined): string {
  return Object.entries(facts ?? {})
    .flatMap(([name, value]) =>
      typeof value === 'object' ? words(value as object | null) : `${name} ${String(value)}`,
    )
    .join(', ');
}
