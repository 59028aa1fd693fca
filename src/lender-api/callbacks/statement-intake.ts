import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/index.js';
import type { CallbackOf } from '../protocol/callbacks.js';
import { CallbackRefused } from './callback-refused.js';
import { MessageLog } from './message-log.js';
import { OwnApplications } from './own-applications.js';

type Statement = CallbackOf<'STATEMENTS'>;

/** Takes a day's payouts in, page by page: they are kept and put before the operator. */
@Injectable()
export class StatementIntake {
  constructor(
    private readonly applications: OwnApplications,
    private readonly log: MessageLog,
  ) {}

  async take(tx: Tx, lenderCode: string, body: Statement): Promise<void> {
    requireFigures(body);
    await this.requireOwn(tx, lenderCode, body);
    const { id: messageId, day, page, pages, payoutCount, payoutTotal, payouts } = body;
    const message = {
      lenderCode,
      kind: 'STATEMENT',
      messageId,
      partnerId: null,
      subjectId: null,
    } as const;
    await this.log.keepAndFlag(tx, message, body, 'LENDER_STATEMENT', {
      day,
      page,
      pages,
      payoutCount,
      payoutTotal,
      payoutsOnPage: payouts.length,
    });
  }

  private async requireOwn(tx: Tx, lenderCode: string, { payouts }: Statement): Promise<void> {
    const ids = [...new Set(payouts.map(({ applicationId }) => applicationId))];
    const own = await this.applications.find(tx, lenderCode, ids);
    const loans = payouts.map(({ applicationId, loanReference }, place) => {
      const application = own.get(applicationId);
      if (!application) throw notOwn(place, 'application');
      return { application, loanReference };
    });
    const [stranger] = await this.applications.strangers(tx, lenderCode, loans);
    if (stranger !== undefined) throw notOwn(stranger, 'loan');
  }
}

/** Of a day on one page its payouts are all there are; of several no page has more than the day. */
function requireFigures({ pages, payoutCount, payoutTotal, payouts }: Statement): void {
  const count = payouts.length;
  const total = payouts.reduce((sum, { amount }) => sum + amount, 0);
  const holds =
    pages === 1
      ? count === payoutCount && total === payoutTotal
      : count <= payoutCount && total <= payoutTotal;
  if (holds) return;
  throw new CallbackRefused(
    'invalid_request',
    'payoutCount, payoutTotal: do not agree with the payouts',
  );
}

function notOwn(place: number, what: string): CallbackRefused {
  return new CallbackRefused(
    'not_found',
    `payouts.${place}: this lender was not asked about this ${what}`,
  );
}
