import { Controller, Get } from '@nestjs/common';
import { HostedJourneys } from '../../journeys/index.js';
import { type Language, type Page, PageLanguage } from '../../platform/index.js';
import { requireScreen } from '../entry/current-screen.js';
import { HostedSession, type HostedSessionValue, SignedIn } from '../entry/signed-in.js';
import { branchToVisit } from './branch-to-visit.js';
import { pledgedGold } from './pledged-gold.js';
import { stepPage } from './step-pages.js';

/** Everything is signed: the lender checks gold where there is some, pays out, and the page waits. */
@Controller('hosted/disbursement')
@SignedIn()
export class DisbursementController {
  constructor(private readonly hosted: HostedJourneys) {}

  @Get()
  async show(
    @HostedSession() session: HostedSessionValue,
    @PageLanguage() language: Language,
  ): Promise<Page> {
    const view = await this.hosted.read(session);
    requireScreen(view, '/hosted/disbursement');
    const terms = view.selected?.offer.terms;
    return stepPage('hosted/steps/disbursement', {
      titleKey: 'steps.disbursement.title',
      refreshSeconds: view.pollIntervalSeconds,
      lenderName: view.selected?.offer.lenderName,
      contact: terms?.contact ?? terms?.grievanceOfficer,
      coolingOffDays: terms?.coolingOffDays,
      netDisbursed: view.selected?.selection.netDisbursed,
      maskedNumber: view.bankAccount?.maskedNumber,
      ...(view.selected?.branch && {
        titleKey: 'steps.disbursement.title.gold',
        titleValues: { branch: view.selected.branch.name },
        branch: branchToVisit(view.selected.branch, language),
        gold: pledgedGold(view.selected, view.applicant, language),
      }),
    });
  }
}
