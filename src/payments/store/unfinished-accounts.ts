import { Injectable } from '@nestjs/common';
import { Tx } from '../../platform/index.js';
import type { GatewayKind } from '../payment-gateway.js';

/** What is not over in a payment account. */
export interface Unfinished {
  /** Pages that may still be paid, or that the gateway is still asked about. */
  readonly orders: number;
  /** Payments that are neither kept nor on their way back. */
  readonly payments: number;
  /** Refunds that the gateway has not made. */
  readonly refunds: number;
}

/** What would be cut off from its gateway if an account got other credentials. */
@Injectable()
export class UnfinishedAccounts {
  /** @param account the lender whose own account it is; null: the operator's */
  async count(tx: Tx, gateway: GatewayKind, account: string | null): Promise<Unfinished> {
    const [counted] = await tx.query<Unfinished>(COUNT, [gateway, account]);
    return counted;
  }
}

// By the indexes of what is due. An order that no gateway was told of has its page opened by the
// credentials of then.
const COUNT = `
  SELECT
    (SELECT count(*)::int FROM payment_orders
     WHERE next_attempt_at IS NOT NULL AND gateway = $1 AND account IS NOT DISTINCT FROM $2) AS orders,
    (SELECT count(*)::int FROM payments p JOIN payment_orders o ON o.id = p.order_id
     WHERE p.unsettled_at IS NOT NULL AND p.gateway = $1
       AND o.account IS NOT DISTINCT FROM $2) AS payments,
    (SELECT count(*)::int FROM payment_refunds
     WHERE next_attempt_at IS NOT NULL AND gateway = $1 AND account IS NOT DISTINCT FROM $2) AS refunds
`;
