import { Controller, Get, Query } from '@nestjs/common';
import { LINKED_STEPS } from '../journey-steps/index.js';
import { AnswersWithScreens, Page } from '../platform/index.js';

const JOURNEY = /^jrn_[0-9a-f]{32}$/;
const APPLICATION = /^app_[0-9a-f]{32}$/;
const STEP = new RegExp(`^(${LINKED_STEPS.join('|')})$`);
const OUTCOME = /^(IN_PROGRESS|SANCTIONED|REJECTED|ABANDONED)$/;

/** Statuses of an instant loan for which no payment can begin. */
const STATUS = /^(PAYMENT_PENDING|PAYMENT_FAILED|SANCTIONED|REJECTED|EXPIRED)$/;

/** The query of a partner’s `returnUrl`, which any visitor can write. */
interface ReturnQuery {
  readonly journeyId?: unknown;
  readonly step?: unknown;
  readonly outcome?: unknown;
  readonly applicationId?: unknown;
  readonly status?: unknown;
}

/** Replaces the partner's app; reads no data. */
@Controller('sandbox/partner')
@AnswersWithScreens()
export class PartnerPageController {
  @Get()
  show(@Query() { journeyId, step, outcome, applicationId, status }: ReturnQuery): Page {
    const stepRows = row('sandbox.partner.step', step, STEP);
    const outcomeRows = row('sandbox.partner.outcome', outcome, OUTCOME);
    const statusRows = row('sandbox.partner.status', status, STATUS);
    return new Page('sandbox/partner', {
      titleKey: 'sandbox.partner.title',
      sheets: ['sandbox.css'],
      rows: [
        ...row('sandbox.partner.journey', journeyId, JOURNEY),
        ...row('sandbox.partner.application', applicationId, APPLICATION),
        ...stepRows,
        ...outcomeRows,
        ...statusRows,
      ],
      nextKey: nextKeyOf(stepRows, outcomeRows, statusRows),
    });
  }
}

function nextKeyOf(...[step, outcome, status]: readonly (readonly object[])[]): string | null {
  if (step.length > 0) return 'sandbox.partner.next.step';
  return outcome.length + status.length > 0 ? 'sandbox.partner.next.outcome' : null;
}

function row(
  labelKey: string,
  value: unknown,
  form: RegExp,
): { labelKey: string; value: string }[] {
  return typeof value === 'string' && form.test(value) ? [{ labelKey, value }] : [];
}
