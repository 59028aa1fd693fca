import { Injectable } from '@nestjs/common';
import { type NewFlag, OperatorFlags } from '../operator-flags/index.js';
import { Database, ScheduledTask } from '../platform/index.js';
import { ServiceSettings } from '../settings/index.js';
import { NO_PARTNER } from './failure-flags.js';
import {
  LenderQuestionsRepository,
  OF_LENDER,
  type OverdueQuestion,
} from './store/lender-questions.repository.js';

type PendingFlag = NewFlag<'PAYOUT_PENDING' | 'ANSWER_PENDING'>;

const EVERY_MS = 60_000;
const QUESTIONS_A_LOT = 200;

/**
 * Flags questions that have no answer for hours, whether the lender answers 202, fails or is not asked, and closes
 * the flags once the answers are there. Safe on any number of replicas: each question is taken by one of them.
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
    const { pendingAnswerHours } = await this.settings.operating();
    while ((await this.raise(pendingAnswerHours)) === QUESTIONS_A_LOT);
    await this.resolve();
  }

  private raise(hours: number): Promise<number> {
    return this.database.transaction(async (tx) => {
      const overdue = await this.questions.markOverdue(tx, hours, QUESTIONS_A_LOT);
      const flags = Map.groupBy(overdue.map(flagOf), nameOf);
      // In one order, as other replicas raise them: no deadlock.
      for (const name of [...flags.keys()].toSorted()) {
        const same = flags.get(name)!;
        await this.flags.raise(tx, { ...same.at(-1)!, count: same.length });
      }
      return overdue.length;
    });
  }

  /** The flags are locked before the questions are read: a replica that raises one of them now waits. */
  private async resolve(): Promise<void> {
    await this.database.transaction(async (tx) => {
      const open = await this.flags.lockOpen(tx, ['PAYOUT_PENDING', 'ANSWER_PENDING']);
      if (open.length === 0) return;
      const pending = new Set((await this.questions.overdue(tx)).map(flagOf).map(nameOf));
      for (const { subjectId, kind, cause } of open) {
        if (cause === null || pending.has(nameOf({ subjectId, kind, cause: [cause] }))) continue;
        await this.flags.resolve(tx, { subjectId, kind, cause }, {});
      }
    });
  }
}

function flagOf({
  lenderCode,
  partnerId,
  subjectId,
  kind,
  reference,
  createdAt,
}: OverdueQuestion): PendingFlag {
  // A lender that is away leaves thousands of these behind: one flag is enough to know it.
  const about = OF_LENDER.has(kind)
    ? { partnerId: NO_PARTNER, subjectId: lenderCode }
    : { partnerId, subjectId };
  return {
    ...about,
    kind: kind === 'DISBURSEMENT' ? 'PAYOUT_PENDING' : 'ANSWER_PENDING',
    cause: [lenderCode, kind],
    detail: { lenderCode, kind, reference, subjectId, since: createdAt },
  };
}

function nameOf({
  subjectId,
  kind,
  cause,
}: Pick<PendingFlag, 'subjectId' | 'cause'> & { readonly kind: string }) {
  return [subjectId, kind, ...cause].join(' ');
}
