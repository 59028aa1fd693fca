import { Controller, Get, Query } from '@nestjs/common';
import { REDIRECT_STEPS } from '../journey-steps/index.js';
import { AnswersWithScreens, Page } from '../platform/index.js';

const JOURNEY = /^jrn_[0-9a-f]{32}$/;
const STEP = new RegExp(`^(${REDIRECT_STEPS.join('|')})$`);
const OUTCOME = /^(IN_PROGRESS|SANCTIONED|REJECTED|ABANDONED)$/;

/** The query of a partner’s `returnUrl`; anybody can write it. */
interface ReturnQuery {
  readonly journeyId?: unknown;
  /** After a step at a provider. */
  readonly step?: unknown;
  /** At the end of a hosted journey. */
  readonly outcome?: unknown;
}

/**
 * Stands in for the partner's app or website, at the demonstration partner's `returnUrl`: it shows
 * what the partner receives there. It reads no data and shows only words of the contract.
 */
@Controller('sandbox/partner')
@AnswersWithScreens()
export class PartnerPageController {
  @Get()
  show(@Query() { journeyId, step, outcome }: ReturnQuery): Page {
    const stepRows = row('sandbox.partner.step', step, STEP);
    const outcomeRows = row('sandbox.partner.outcome', outcome, OUTCOME);
    return new Page('sandbox-partner', {
      titleKey: 'sandbox.partner.title',
      sheets: ['sandbox.css'],
      rows: [...row('sandbox.partner.journey', journeyId, JOURNEY), ...stepRows, ...outcomeRows],
      isAfterStep: stepRows.length > 0,
      isAtEnd: outcomeRows.length > 0,
    });
  }
}

/** A row of the `summary-list` partial; none for what this service would never tell. */
function row(
  labelKey: string,
  value: unknown,
  form: RegExp,
): { labelKey: string; value: string }[] {
  return typeof value === 'string' && form.test(value) ? [{ labelKey, value }] : [];
}
