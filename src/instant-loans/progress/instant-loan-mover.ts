import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { LeadWriter } from '../../leads/index.js';
import { QuestionOutbox } from '../../lenders/index.js';
import { Metrics, Tx } from '../../platform/index.js';
import { InstantLoanAudit } from '../store/instant-loan-audit.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';
import {
  type InstantLoanChanges,
  InstantLoansRepository,
} from '../store/instant-loans.repository.js';
import { isOver } from '../domain/instant-loan-status.js';
import { OfferWithdrawals } from './offer-withdrawals.js';
import { type InstantLoanTrigger, transition } from '../domain/transition-table.js';

@Injectable()
export class InstantLoanMetrics {
  readonly transitions: Counter<'trigger' | 'status'>;

  constructor({ registry }: Metrics) {
    this.transitions = new Counter({
      name: 'instant_loan_transitions_total',
      help: 'Moves of instant loans, by trigger and status entered',
      labelNames: ['trigger', 'status'],
      registers: [registry],
    });
  }
}

/** The reason sent to its lenders; after a payment they decide themselves. */
const LAST_WORDS: Readonly<Partial<Record<InstantLoanTrigger, 'ABANDONED' | 'ENDED'>>> = {
  TIME_RAN_OUT: 'ABANDONED',
  WITHDRAWN: 'ABANDONED',
  LENDERS_DECLINED: 'ENDED',
  LENDERS_SILENT: 'ENDED',
  LENDER_GONE: 'ENDED',
};

/**
 * The one place where an application changes its status, with its audit row, lead and lenders'
 * notices in the same transaction. The contract names no events for instant loans.
 */
@Injectable()
export class InstantLoanMover {
  constructor(
    private readonly loans: InstantLoansRepository,
    private readonly audit: InstantLoanAudit,
    private readonly leads: LeadWriter,
    private readonly questionOutbox: QuestionOutbox,
    private readonly withdrawals: OfferWithdrawals,
    private readonly metrics: InstantLoanMetrics,
  ) {}

  /**
   * Null when the table has no such move; nothing has changed.
   * @param loan as locked in this transaction
   * @param detail for the audit: ids, never personal data
   */
  async move(
    tx: Tx,
    loan: InstantLoan,
    trigger: InstantLoanTrigger,
    changes: InstantLoanChanges = {},
    detail: Record<string, unknown> = {},
  ): Promise<InstantLoan | null> {
    const to = transition(loan.status, trigger);
    if (to === null) return null;
    const moved = await this.loans.change(tx, loan, loan.status, { ...changes, status: to });
    if (!moved) throw new Error(`application ${loan.id} moved under its lock`);
    if (isOver(to)) await this.loans.finish(tx, moved.id);
    if (isOver(to)) await this.questionOutbox.close(tx, [moved.id], ['INSTANT_OFFERS']);
    if (trigger === 'PAID') await this.withdrawals.tellNotChosen(tx, moved);
    const reason = LAST_WORDS[trigger];
    if (reason) await this.withdrawals.tellOver(tx, moved, reason);
    await this.audit.record(tx, moved, trigger, loan.status, detail);
    await this.leads.setStatus(tx, moved.partnerId, moved.id, to);
    tx.afterCommit(() => this.metrics.transitions.inc({ trigger, status: to }));
    return moved;
  }
}
