import { Controller, Get } from '@nestjs/common';
import {
  HostedJourneys,
  type HostedJourneyView,
  type HostedSelection,
} from '../../journeys/index.js';
import { formatRupees, type Language, Page, translate } from '../../platform/index.js';
import { readAt } from '../entry/current-screen.js';
import { CurrentVisit, SignedIn, type Visit } from '../entry/signed-in.js';
import type { Moment } from '../instant-loans/refund-cards.js';
import { exitFold } from '../offers/confirmed-terms.js';
import { type Fold, goldFolds } from '../offers/gold-folds.js';
import { shortAccount, shortName } from '../offers/offer-card.js';
import { branchToVisit } from './branch-to-visit.js';
import { furtherComplaint } from './further-complaint.js';
import { bringFold } from './gold-visit.js';

@Controller('hosted/disbursement')
@SignedIn()
export class DisbursementController {
  constructor(private readonly hosted: HostedJourneys) {}

  @Get()
  async show(@CurrentVisit() { session, language }: Visit): Promise<Page> {
    const view = await readAt(this.hosted, session, '/hosted/disbursement');
    const { selected, applicant } = view;
    if (!selected) throw new Error('the signed loan has no terms');
    const { offer, branch } = selected;
    const { grievanceOfficer, contact = grievanceOfficer } = offer.terms;
    return new Page('steps/money', {
      titleKey: branch ? 'steps.money.gold' : 'steps.money',
      titleValues: { branch: branch?.name ?? '' },
      refreshSeconds: view.pollIntervalSeconds,
      lenderName: offer.lenderName,
      shortName: shortName(offer),
      moments: moments(selected, view.bankAccount, language),
      contact,
      refusal: refusal(selected, language),
      officer: grievanceOfficer,
      further: furtherComplaint(offer.terms),
      returnUrl: view.returnUrl,
      ...(branch && {
        branch: branchToVisit(branch, language),
        bringFolds: [bringFold(offer.terms, applicant, language)],
      }),
    });
  }
}

/** After the signature: at the branch until the lender holds the gold, else by phone. */
function refusal(
  { offer, statement }: HostedSelection,
  language: Language,
): Pick<Fold, 'rows' | 'texts'> {
  const gold = goldFolds(offer.terms, language).slice(0, 1);
  const folds = [...gold, exitFold({ statement }, language)];
  return {
    rows: folds.map(({ heading, gist }) => ({ label: heading, value: gist })),
    texts: [translate(language, 'steps.money.refuse.text'), ...gold.flatMap(({ texts }) => texts)],
  };
}

function moments(
  { offer, selection, branch }: HostedSelection,
  account: HostedJourneyView['bankAccount'],
  language: Language,
): Moment[] {
  const lender = shortName(offer);
  const net = formatRupees(selection.netDisbursed);
  const emi = formatRupees(selection.instalment);
  const payout: Moment = {
    text: translate(language, 'steps.money.sends', { lender, net }),
    ...(account && {
      note: translate(language, 'steps.money.account', {
        account: shortAccount(account.maskedNumber),
      }),
    }),
  };
  const untilPayout: Moment[] = branch
    ? [{ text: translate(language, 'steps.money.gold.check', { lender }), isNow: true }, payout]
    : [
        { text: translate(language, 'steps.money.signed'), isDone: true },
        { ...payout, isNow: true },
      ];
  return [
    ...untilPayout,
    {
      text: translate(language, 'steps.money.first', { emi }),
      note: translate(language, 'steps.money.first.note'),
    },
  ];
}
