import { Controller, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { HostedJourneys, type HostedJourneyView } from '../../journeys/index.js';
import {
  CsrfProtected,
  type Entered,
  enteredIn,
  FormField,
  type FormError,
  type Language,
  Page,
  PageLanguage,
  readForm,
  SeeOther,
  TextField,
  translate,
} from '../../platform/index.js';
import type { LenderBranch } from '../../settings/index.js';
import { requireScreen, requireStamp } from '../entry/current-screen.js';
import { HostedSession, type HostedSessionValue, SignedIn } from '../entry/signed-in.js';
import { goldFolds } from '../offers/gold-folds.js';
import { shortName } from '../short-name.js';
import { openingHours } from './opening-hours.js';
import { backFold, bringFold } from './gold-visit.js';
import { mapUrl } from './map-url.js';
import { StepActions } from './step-actions.js';
import { questionPage } from './step-pages.js';

const PATH = '/hosted/branch';
const MISSING: FormError = { field: 'branchLocationId', messageKey: 'offers.visit.missing' };

class BranchForm {
  @TextField()
  @FormField({ missing: 'offers.visit.missing', wrong: 'offers.visit.missing' })
  branchLocationId: string;
}

@Controller('hosted/branch')
@SignedIn()
export class BranchController {
  constructor(
    private readonly hosted: HostedJourneys,
    private readonly actions: StepActions,
  ) {}

  @Get()
  async show(
    @HostedSession() session: HostedSessionValue,
    @PageLanguage() language: Language,
  ): Promise<Page> {
    return branchPage(await this.read(session), language);
  }

  @Post()
  @CsrfProtected()
  async choose(
    @HostedSession() session: HostedSessionValue,
    @PageLanguage() language: Language,
    @Req() request: Request,
  ): Promise<Page | SeeOther> {
    const view = await this.read(session);
    requireStamp(view, enteredIn(request).shown);
    const form = readForm(request, BranchForm);
    if (!form.isValid) return branchPage(view, language, form);
    const outcome = await this.actions.take(session, view, {
      kind: 'SELECT_GOLD_LOAN_BRANCH',
      payload: { branchLocationId: form.value.branchLocationId },
      retryHref: PATH,
    });
    if (outcome === 'TAKEN') return new SeeOther('/hosted');
    return outcome === 'REFUSED'
      ? branchPage(view, language, { errors: [MISSING], entered: {} })
      : outcome;
  }

  private async read(session: HostedSessionValue): Promise<HostedJourneyView> {
    const view = await this.hosted.read(session);
    requireScreen(view, PATH);
    return view;
  }
}

function branchPage(
  view: HostedJourneyView,
  language: Language,
  failed: { errors?: readonly FormError[]; entered?: Entered } = {},
): Page {
  const { errors, entered } = failed;
  const { offer } = view.selected ?? {};
  if (!offer) throw new Error('a branch is of an offer that was chosen');
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
