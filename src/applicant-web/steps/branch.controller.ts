import { Controller, Get } from '@nestjs/common';
import { HostedJourneys, type HostedJourneyView } from '../../journeys/index.js';
import {
  enteredIn,
  type FormError,
  FormField,
  FormPost,
  type Language,
  Page,
  readForm,
  SeeOther,
  TextField,
  translate,
} from '../../platform/index.js';
import type { LenderBranch } from '../../settings/index.js';
import type { ShownAgain } from '../acknowledgement-page.js';
import { CURRENT_SCREEN, readAt, requireStamp } from '../entry/current-screen.js';
import { CurrentVisit, SignedIn, type Visit } from '../entry/signed-in.js';
import { goldFolds } from '../offers/gold-folds.js';
import { shortName } from '../offers/offer-card.js';
import { mapUrl, openingHours } from './branch-to-visit.js';
import { backFold, bringFold } from './gold-visit.js';
import { questionPage, takeAction } from './step-pages.js';

const PATH = '/hosted/branch';
const MISSING: FormError = { field: 'branchLocationId', messageKey: 'offers.visit.missing' };

class BranchForm {
  @TextField()
  @FormField({ missing: 'offers.visit.missing', wrong: 'offers.visit.missing' })
  branchLocationId: string;
}

@Controller(PATH)
@SignedIn()
export class BranchController {
  constructor(private readonly hosted: HostedJourneys) {}

  @Get()
  async show(@CurrentVisit() { session, language }: Visit): Promise<Page> {
    return branchPage(await readAt(this.hosted, session, PATH), language);
  }

  @FormPost()
  async choose(@CurrentVisit() { session, language, request }: Visit): Promise<Page | SeeOther> {
    const view = await readAt(this.hosted, session, PATH);
    requireStamp(view, enteredIn(request).shown);
    const form = readForm(request, BranchForm);
    if (!form.isValid) return branchPage(view, language, form);
    const outcome = await takeAction(this.hosted, session, view, {
      kind: 'SELECT_GOLD_LOAN_BRANCH',
      payload: { branchLocationId: form.value.branchLocationId },
      retryHref: PATH,
    });
    if (outcome === 'TAKEN') return new SeeOther(CURRENT_SCREEN);
    return outcome === 'REFUSED'
      ? branchPage(view, language, { errors: [MISSING], entered: {} })
      : outcome;
  }
}

function branchPage(view: HostedJourneyView, language: Language, failed: ShownAgain = {}): Page {
  const { errors, entered } = failed;
  const { offer } = view.selected ?? {};
  if (!offer) throw new Error('the branch step has no chosen offer');
  const [refusal, unpaid] = goldFolds(offer.terms, language);
  return questionPage(view, 'branch', 'offers/branch', {
    titleKey: 'offers.visit.missing',
    scripts: ['branch-distance.js'],
    asksForPlace: true,
    errors,
    entered,
    lenderName: offer.lenderName,
    shortName: shortName(offer),
    branches: branchesOf(offer.terms.branches, language),
    folds: [
      bringFold(offer.terms, view.applicant, language),
      refusal,
      backFold(offer.terms, language),
      unpaid,
    ],
  });
}

function branchesOf(branches: readonly LenderBranch[], language: Language) {
  return branches
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
    .map(({ id, name, ...branch }, place) => ({
      ...branch,
      // The error summary links to the first.
      id: place === 0 ? 'branchLocationId' : `branchLocationId-${place}`,
      value: id,
      title: name,
      hours:
        openingHours(branch.hours, language).join('; ') ||
        translate(language, 'steps.branch.hours'),
      mapHref: mapUrl(branch),
    }));
}
