import { Injectable } from '@nestjs/common';
import { type NewFlag, NO_PARTNER, OperatorFlags } from '../operator-flags/index.js';
import { Database, ScheduledTask } from '../platform/index.js';
import { ServiceSettings } from '../settings/index.js';
import {
  LenderQuestionsRepository,
  OF_LENDER,
  type OverdueQuestion,
} from './store/lender-questions.repository.js';
import { IS_ANSWERED } from './store/question-statements.js';

type PendingFlag = NewFlag<'PAYOUT_PENDING' | 'ANSWER_PENDING'>;

const EVERY_MS = 60_000;
const A_LOT = 200;

/**
 * Flags questions without an answer for hours (a decision: seconds), and again after the same time. Resolves the
 * flags when answers arrive. One replica handles each question.
 */
@Injectable()
export class PendingAnswers {
  constructor(
    private readonly database: Database,
    private readonly questions: LenderQuestionsRepository,
    private readonly flags: OperatorFlags,
    private readonly settings: ServiceSettings,
  ) {}

  @ScheduledTask('lender-pending-answers', EVERY_MS)
  async run(): Promise<void> {
    const { pendingAnswerHours, lenderGiveUpSeconds } = await this.settings.operating();
    while ((await this.raise(pendingAnswerHours, lenderGiveUpSeconds)) === A_LOT);
    while ((await this.resolve()) === A_LOT);
  }

  private raise(hours: number, decisionSeconds: number): Promise<number> {
    return this.database.transaction(async (tx) => {
      const overdue = await this.questions.markOverdue(tx, hours, decisionSeconds, A_LOT);
      for (const same of groupedFlags(overdue.map(flagOf))) {
        await this.flags.raise(tx, { ...same.at(-1)!, count: same.length });
      }
      return overdue.length;
    });
  }

  private resolve(): Promise<number> {
    return this.database.transaction((tx) =>
      this.flags.resolveWhere(tx, ['PAYOUT_PENDING', 'ANSWER_PENDING'], IS_ANSWERED, A_LOT),
    );
  }
}

/** Sorted, so that replicas raising the same flags do not deadlock. */
export function groupedFlags(flags: readonly PendingFlag[]): PendingFlag[][] {
  const groups = Map.groupBy(flags, ({ subjectId, kind, cause }) =>
    [subjectId, kind, ...cause].join(' '),
  );
  return [...groups.keys()].toSorted().map((name) => groups.get(name)!);
}

function flagOf({
  lenderCode,
  partnerId,
  subjectId,
  kind,
  reference,
  awaitedSince,
}: OverdueQuestion): PendingFlag {
  // A silent lender affects thousands of questions, so one flag covers all.
  const about = OF_LENDER.has(kind)
    ? { partnerId: NO_PARTNER, subjectId: lenderCode }
    : { partnerId, subjectId };
  return {
    ...about,
    kind: kind === 'DISBURSEMENT' ? 'PAYOUT_PENDING' : 'ANSWER_PENDING',
    cause: [lenderCode, kind],
    detail: { lenderCode, kind, reference, subjectId, since: awaitedSince },
  };
}
