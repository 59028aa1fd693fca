import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { REDIRECT_STEPS } from '../journey-steps/index.js';
import { Screens } from '../platform/index.js';

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
export class PartnerPageController {
  constructor(private readonly screens: Screens) {}

  @Get()
  async show(
    @Query() { journeyId, step, outcome }: ReturnQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const stepRows = row('sandbox.partner.step', step, STEP);
    const outcomeRows = row('sandbox.partner.outcome', outcome, OUTCOME);
    await this.screens.render(request, response, 'sandbox-partner', {
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
