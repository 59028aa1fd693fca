import { Injectable } from '@nestjs/common';
import { Tx } from '../../platform/index.js';
import type { GatewayKind } from '../payment-gateway.js';

export interface Unfinished {
  readonly orders: number;
  /** Neither kept nor being refunded. */
  readonly payments: number;
  readonly refunds: number;
}

/** What new credentials of an account would cut off. */
@Injectable()
export class UnfinishedAccounts {
  /** @param account the lender whose own it is; null: the operator's */
  async count(tx: Tx, gateway: GatewayKind, account: string | null): Promise<Unfinished> {
    const [counted] = await tx.query<Unfinished>(COUNT, [gateway, account]);
    return counted;
  }
}

// Uses the indexes of due rows. An order without a gateway is not cut off.
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
