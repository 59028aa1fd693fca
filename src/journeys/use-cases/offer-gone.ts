import type { GoneReason } from '../../lenders/index.js';
import { Fault } from '../../platform/index.js';

const MESSAGES: Readonly<Record<GoneReason, string>> = {
  EXPIRED: 'The lender says that this offer has run out; choose another one',
  AMOUNT_OUT_OF_RANGE: 'The lender no longer makes this offer for this amount; choose another one',
  WITHDRAWN: 'The lender has withdrawn this offer; choose another one',
  OTHER: 'The lender does not take the choice of this offer; choose another one',
};

/** The lender refuses the choice: nothing has changed, other offers stay. */
export class OfferGone extends Fault {
  constructor(readonly reason: GoneReason) {
    super('offer_expired', { message: MESSAGES[reason] });
  }
}
