import { Injectable, Logger } from '@nestjs/common';
import { LenderStatementsRepository } from '../../lenders/index.js';
import { type FlagDetail, NO_PARTNER, OperatorFlags } from '../../operator-flags/index.js';
import { Database, logFailure, ScheduledTask, type Tx } from '../../platform/index.js';

const EVERY_MS = 60_000;
const MAX_PER_PASS = 100;
const MAX_PAGES_NAMED = 20;
/** Failed checks before the flag: some six hours. */
const FAILURES_BEFORE_FLAG = 4;

const FLAGGED = ['NOT_CHECKED', 'PAGES_MISSING', 'DIFFERS'] as const;

type Outcome = FlagDetail<'LENDER_STATEMENT'> & { readonly agrees: boolean };

type Claimed = NonNullable<Awaited<ReturnType<LenderStatementsRepository['claimNext']>>>;

/** Checks each statement once, on one replica. The flag has both sides' figures. */
@Injectable()
export class StatementChecks {
  private readonly logger = new Logger(StatementChecks.name);

  constructor(
    private readonly database: Database,
    private readonly statements: LenderStatementsRepository,
    private readonly flags: OperatorFlags,
  ) {}

  @ScheduledTask('lender-statements', EVERY_MS)
  async run(): Promise<void> {
    const lenders = await this.database.transaction((tx) => this.statements.lendersToCheck(tx));
    for (let turn = 0; turn < MAX_PER_PASS; turn += 1) {
      const lenderCode = lenders.shift();
      if (lenderCode === undefined) return;
      if (await this.checkNext(lenderCode)) lenders.push(lenderCode);
    }
  }

  /** @returns false after a failure: skip this lender */
  private async checkNext(lenderCode: string): Promise<boolean> {
    let claimed = null as Claimed | null;
    try {
      await this.database.transaction(async (tx) => {
        claimed = await this.statements.claimNext(tx, lenderCode);
        if (claimed) await this.check(tx, claimed);
      });
      return claimed !== null;
    } catch (error) {
      if (!claimed) throw error;
      logFailure(this.logger, error);
      await this.postpone(claimed);
      return false;
    }
  }

  private async check(tx: Tx, statement: Claimed): Promise<void> {
    const outcome = await this.outcomeOf(tx, statement);
    for (const result of FLAGGED) {
      if (result !== resultOf(outcome)) await this.resolve(tx, statement, result);
    }
    await this.tell(tx, statement, outcome);
    await this.statements.markChecked(tx, statement);
  }

  private async postpone(statement: Claimed): Promise<void> {
    await this.database.transaction(async (tx) => {
      const failedChecks = await this.statements.postpone(tx, statement);
      if (failedChecks !== FAILURES_BEFORE_FLAG) return;
      await this.tell(tx, statement, { agrees: false, failedChecks });
    });
  }

  private async tell(
    tx: Tx,
    { id, lenderCode, day, pages }: Claimed,
    outcome: Outcome,
  ): Promise<void> {
    const flag = {
      partnerId: NO_PARTNER,
      subjectId: lenderCode,
      kind: 'LENDER_STATEMENT',
      cause: [day, String(id), resultOf(outcome)],
      detail: { lenderCode, day, pages, ...outcome },
    } as const;
    if (outcome.agrees) await this.flags.note(tx, flag);
    else await this.flags.raise(tx, flag);
  }

  private resolve(
    tx: Tx,
    { id, lenderCode: subjectId, day }: Claimed,
    result: (typeof FLAGGED)[number],
  ): Promise<void> {
    const flag = { subjectId, kind: 'LENDER_STATEMENT', cause: `${day} ${id} ${result}` } as const;
    return this.flags.resolve(tx, flag, {});
  }

  private async outcomeOf(tx: Tx, statement: Claimed): Promise<Outcome> {
    const { pages, pagesHere, payoutCount, payoutTotal } = statement;
    const sums = await this.statements.sums(tx, statement);
    const figures = {
      payoutCount: { stated: payoutCount, found: sums.count, ours: sums.oursCount },
      payoutTotal: { stated: payoutTotal, found: sums.total, ours: sums.oursTotal },
    };
    if (pagesHere.length < pages) {
      return { agrees: false, ...figures, missingPages: missing(pages, pagesHere) };
    }
    const { counts, first } = await this.statements.differences(tx, statement);
    const isWhole = sums.count === payoutCount && sums.total === payoutTotal;
    return {
      agrees: isWhole && first.length === 0,
      ...figures,
      ...(sums.notFollowed > 0 && { notCompared: sums.notFollowed }),
      ...(first.length > 0 && { differences: counts, firstDifferences: first }),
    };
  }
}

function resultOf({ agrees, failedChecks, missingPages }: Outcome) {
  if (agrees) return 'AGREES';
  if (failedChecks !== undefined) return 'NOT_CHECKED';
  return missingPages === undefined ? 'DIFFERS' : 'PAGES_MISSING';
}

function missing(pages: number, here: readonly number[]): number[] {
  const all = Array.from({ length: pages }, (_, index) => index + 1);
  return all.filter((page) => !here.includes(page)).slice(0, MAX_PAGES_NAMED);
}
