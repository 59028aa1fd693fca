import { Injectable } from '@nestjs/common';
import { HostedJourneys, type HostedJourneyView } from '../../journeys/index.js';
import type { Page } from '../../platform/index.js';
import { ScreenRedirect } from '../entry/screen-redirect.js';
import type { HostedSessionValue } from '../entry/signed-in.js';
import { isFault, lenderAwayPage } from './step-pages.js';

export interface StepAction {
  readonly kind: 'SELECT_GOLD_LOAN_BRANCH' | 'SUBMIT_BANK_ACCOUNT';
  readonly payload: object;
  readonly retryHref: string;
}

@Injectable()
export class StepActions {
  constructor(private readonly hosted: HostedJourneys) {}

  /**
   * @returns `REFUSED` when the data or the lender rejects it; a page when the lender cannot be
   * reached
   * @throws ScreenRedirect while another action is recorded
   */
  async take(
    session: HostedSessionValue,
    view: HostedJourneyView,
    { kind, payload, retryHref }: StepAction,
  ): Promise<'TAKEN' | 'REFUSED' | Page> {
    try {
      await this.hosted.act(session, kind, payload);
      return 'TAKEN';
    } catch (error) {
      if (isFault(error, 'validation_failed')) return 'REFUSED';
      if (isFault(error, 'action_in_flight')) throw new ScreenRedirect('/hosted/moment');
      if (!isFault(error, 'lender_unavailable')) throw error;
      return lenderAwayPage(view.selected?.offer.lenderName ?? '', retryHref);
    }
  }
}
