import { Controller, Get } from '@nestjs/common';
import { HostedChoices, type HostedJourneyView } from '../../journeys/index.js';
import {
  type FormError,
  FormField,
  FormPost,
  joined,
  Page,
  readForm,
  say,
  type SeeOther,
  TextField,
} from '../../platform/index.js';
import type { LenderBranch } from '../../settings/index.js';
import type { ShownAgain } from '../acknowledgement-page.js';
import { requireStamp, TO_CURRENT_SCREEN } from '../entry/current-screen.js';
import { JourneyHere, type JourneyVisit, SignedIn } from '../entry/signed-in.js';
import { goldFolds } from '../offers/gold-folds.js';
import { shortName } from '../offers/offer-card.js';
import { mapUrl, openingHours } from './branch-to-visit.js';
import { backFold, bringFold } from './gold-visit.js';
import { questionPage, takeAction } from './step-pages.js';

const PATH = '/hosted/branch';
const MISSING: FormError = { field: 'branchLocationId', messageKey: 'offers.visit.missing' };

class BranchForm {
  @TextField()
  @FormField({ wrong: 'offers.visit.missing' })
  branchLocationId: string;
}

@Controller(PATH)
@SignedIn()
export class BranchController {
  constructor(private readonly choices: HostedChoices) {}

  @Get()
  show(@JourneyHere() { view }: JourneyVisit): Page {
    return branchPage(view);
  }

  @FormPost()
  async choose(@JourneyHere() visit: JourneyVisit): Promise<Page | SeeOther> {
    requireStamp(visit);
    const { view, request } = visit;
    const form = readForm(request, BranchForm);
    if (!form.isValid) return branchPage(view, form);
    const outcome = await takeAction(this.choices, visit, {
      kind: 'SELECT_GOLD_LOAN_BRANCH',
      payload: { branchLocationId: form.value.branchLocationId },
      retryHref: PATH,
    });
    if (outcome === 'TAKEN') return TO_CURRENT_SCREEN;
    return outcome === 'REFUSED' ? branchPage(view, { errors: [MISSING], entered: {} }) : outcome;
  }
}

function branchPage(view: HostedJourneyView, failed: ShownAgain = {}): Page {
  const { errors, entered } = failed;
  const { offer } = view.selected ?? {};
  if (!offer) throw new Error('a branch is of an offer that was chosen');
  const [refusal, unpaid] = goldFolds(offer.terms);
  return questionPage(view, 'branch', 'offers/branch', {
    titleKey: 'offers.visit.missing',
    scripts: ['branch-distance.js'],
    asksForPlace: true,
    errors,
    entered,
    lenderName: offer.lenderName,
    shortName: shortName(offer),
    branches: branchesOf(offer.terms.branches),
    folds: [bringFold(offer.terms, view.applicant), refusal, backFold(offer.terms), unpaid],
  });
}

function branchesOf(branches: readonly LenderBranch[]) {
  return branches
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
    .map(({ id, name, ...branch }, place) => ({
      ...branch,
      // The error summary links to the first.
      id: place === 0 ? 'branchLocationId' : `branchLocationId-${place}`,
      value: id,
      title: name,
      hours: branch.hours?.length
        ? joined(openingHours(branch.hours), '; ')
        : say('steps.branch.hours'),
      mapHref: mapUrl(branch),
    }));
}
