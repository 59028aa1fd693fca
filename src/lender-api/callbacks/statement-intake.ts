import { Injectable } from '@nestjs/common';
import { LenderStatementsRepository, type StatementLine } from '../../lenders/index.js';
import { dayInIndia, daysFrom } from '../../loans/index.js';
import { Clock, type Tx } from '../../platform/index.js';
import type { CallbackOf } from '../protocol/callbacks.js';
import { CallbackRefused, type ReadOf } from './read-callback.js';
import { MessageLog } from './message-log.js';
import { OwnApplications } from './own-applications.js';

type Statement = CallbackOf<'STATEMENTS'>;

/** Limits how often a lender may restate a day. */
const MAX_STATEMENTS_OF_DAY = 20;
const MAX_DAYS_BACK = 400;
const DAY_SECONDS = 86_400;

/** Accepts a day's pages in any order. */
@Injectable()
export class StatementIntake {
  constructor(
    private readonly applications: OwnApplications,
    private readonly statements: LenderStatementsRepository,
    private readonly log: MessageLog,
    private readonly clock: Clock,
  ) {}

  async take(tx: Tx, lenderCode: string, callback: ReadOf<'STATEMENTS'>): Promise<void> {
    const { id: messageId, body, json } = callback;
    this.requireDay(body);
    requireFigures(body);
    const lines = await this.linesOf(tx, lenderCode, body);
    const { day, page, pages, payoutCount, payoutTotal } = body;
    const about = { lenderCode, messageId, json, partnerId: null, subjectId: null };
    if (!(await this.log.note(tx, { ...about, kind: 'STATEMENT' }))) return;
    const header = { lenderCode, day, pages, payoutCount, payoutTotal };
    const statement = await this.statements.lock(tx, header, MAX_STATEMENTS_OF_DAY);
    if (!statement) {
      const text = `This day already has ${MAX_STATEMENTS_OF_DAY} different statements`;
      throw new CallbackRefused('too_many_requests', text, DAY_SECONDS);
    }
    if (await this.statements.putPage(tx, statement, page, lines)) return;
    throw new CallbackRefused(
      'invalid_request',
      'payoutCount: the pages have more payouts than this',
    );
  }

  private requireDay({ day, payouts }: Statement): void {
    const today = dayInIndia(this.clock.now());
    if (day > today || daysFrom(day, today) > MAX_DAYS_BACK) {
      throw new CallbackRefused('invalid_request', 'day: must be within the last 400 days');
    }
    const place = payouts.findIndex(({ paidAt }) => dayInIndia(new Date(paidAt)) !== day);
    if (place !== -1) {
      throw new CallbackRefused('invalid_request', `payouts.${place}.paidAt: must be on that day`);
    }
  }

  private async linesOf(
    tx: Tx,
    lenderCode: string,
    { payouts }: Statement,
  ): Promise<StatementLine[]> {
    const ids = [...new Set(payouts.map(({ applicationId }) => applicationId))];
    const own = await this.applications.find(tx, lenderCode, ids);
    const loans = payouts.map(({ applicationId, loanReference }, place) => {
      const application = own.get(applicationId);
      if (!application) throw notOwn(place, 'application');
      return { application, loanReference };
    });
    const [foreignLoan] = await this.applications.foreignLoans(tx, lenderCode, loans);
    if (foreignLoan !== undefined) throw notOwn(foreignLoan, 'loan');
    return payouts.map((payout, place) => ({
      ...payout,
      paidAt: new Date(payout.paidAt),
      isFollowed: loans[place].application.references.every(
        ({ isPayoutReported }) => isPayoutReported,
      ),
    }));
  }
}

function requireFigures({ pages, payoutCount, payoutTotal, payouts }: Statement): void {
  const count = payouts.length;
  const total = payouts.reduce((sum, { amount }) => sum + amount, 0);
  const holds =
    pages === 1
      ? count === payoutCount && total === payoutTotal
      : count <= payoutCount && total <= payoutTotal;
  if (holds) return;
  throw new CallbackRefused('invalid_request', 'payoutCount, payoutTotal: must match the payouts');
}

function notOwn(place: number, what: string): CallbackRefused {
  return new CallbackRefused(
    'not_found',
    `payouts.${place}: this lender was not asked about this ${what}`,
  );
}
