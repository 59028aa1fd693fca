import { Controller, Get } from '@nestjs/common';
import type { HostedJourneyView, HostedSelection } from '../../journeys/index.js';
import { formatRupees, Page, say } from '../../platform/index.js';
import { JourneyHere, type JourneyVisit, SignedIn } from '../entry/signed-in.js';
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
  @Get()
  show(@JourneyHere() { view }: JourneyVisit): Page {
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
      moments: moments(selected, view.bankAccount),
      contact,
      refusal: refusal(selected),
      officer: grievanceOfficer,
      further: furtherComplaint(offer.terms),
      returnUrl: view.returnUrl,
      ...(branch && {
        branch: branchToVisit(branch),
        bringFolds: [bringFold(offer.terms, applicant)],
      }),
    });
  }
}

/** After the signature: at the branch until the lender holds the gold, else by phone. */
function refusal({ offer, statement }: HostedSelection): Pick<Fold, 'rows' | 'texts'> {
  const gold = goldFolds(offer.terms).slice(0, 1);
  const folds = [...gold, exitFold({ statement })];
  return {
    rows: folds.map(({ heading, gist }) => ({ label: heading, value: gist })),
    texts: [say('steps.money.refuse.text'), ...gold.flatMap(({ texts }) => texts)],
  };
}

function moments(
  { offer, selection, branch }: HostedSelection,
  account: HostedJourneyView['bankAccount'],
): Moment[] {
  const lender = shortName(offer);
  const net = formatRupees(selection.netDisbursed);
  const emi = formatRupees(selection.instalment);
  const payout: Moment = {
    text: say('steps.money.sends', { lender, net }),
    ...(account && {
      note: say('steps.money.account', { account: shortAccount(account.maskedNumber) }),
    }),
  };
  const untilPayout: Moment[] = branch
    ? [{ text: say('steps.money.gold.check', { lender }), isNow: true }, payout]
    : [
        { text: say('steps.money.signed'), isDone: true },
        { ...payout, isNow: true },
      ];
  return [
    ...untilPayout,
    { text: say('steps.money.first', { emi }), note: say('steps.money.first.note') },
  ];
}
