import { Injectable } from '@nestjs/common';
import { LenderStatementsRepository } from '../../lenders/index.js';
import { OperatorFlags } from '../../operator-flags/index.js';
import { Database, ScheduledTask, type Tx } from '../../platform/index.js';
import { NO_PARTNER } from './message-log.js';

const EVERY_MS = 60_000;
const MAX_PER_PASS = 100;
/** So many missing pages are told by their numbers. */
const MAX_PAGES_NAMED = 20;

type Claimed = NonNullable<Awaited<ReturnType<LenderStatementsRepository['claimNext']>>>;

/**
 * Holds lenders' statements of a day against what their verdicts have said, each once on whichever
 * replica, and puts the outcome before the operator with both sides' figures.
 */
@Injectable()
export class StatementChecks {
  constructor(
    private readonly database: Database,
    private readonly statements: LenderStatementsRepository,
    private readonly flags: OperatorFlags,
  ) {}

  @ScheduledTask('lender-statements', EVERY_MS)
  async run(): Promise<void> {
    for (let turn = 0; turn < MAX_PER_PASS; turn += 1) {
      if (!(await this.database.transaction((tx) => this.checkNext(tx)))) return;
    }
  }

  /** @returns whether there was one */
  private async checkNext(tx: Tx): Promise<boolean> {
    const statement = await this.statements.claimNext(tx);
    if (!statement) return false;
    const { lenderCode, day, pages } = statement;
    const outcome = await this.outcomeOf(tx, statement);
    await this.flags.raise(tx, {
      partnerId: NO_PARTNER,
      subjectId: lenderCode,
      kind: 'LENDER_STATEMENT',
      detail: { lenderCode, day, pages, ...outcome },
    });
    await this.statements.markChecked(tx, statement);
    return true;
  }

  private async outcomeOf(tx: Tx, statement: Claimed): Promise<object> {
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
      ...(first.length > 0 && { differences: counts, first }),
    };
  }
}

function missing(pages: number, here: readonly number[]): number[] {
  const all = Array.from({ length: pages }, (_, index) => index + 1);
  return all.filter((page) => !here.includes(page)).slice(0, MAX_PAGES_NAMED);
}
