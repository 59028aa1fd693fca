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
} from '../../platform/index.js';
import { requireScreen, requireStamp } from '../entry/current-screen.js';
import { HostedSession, type HostedSessionValue, SignedIn } from '../entry/signed-in.js';
import { openingHours } from './opening-hours.js';
import { pledgedGold } from './pledged-gold.js';
import { mapUrl } from './map-url.js';
import { StepActions } from './step-actions.js';
import { questionPage } from './step-pages.js';

const PATH = '/hosted/branch';
const MISSING: FormError = { field: 'branchLocationId', messageKey: 'steps.branch.missing' };

class BranchForm {
  @TextField()
  @FormField({ missing: 'steps.branch.missing', wrong: 'steps.branch.missing' })
  branchLocationId: string;
}

/** The branch to which the gold is brought. */
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
  const offer = view.selected?.offer;
  const branches = (offer?.terms.branches ?? [])
    .map((branch) => ({
      ...branch,
      hours: openingHours(branch.hours, language),
      mapHref: mapUrl(branch),
    }))
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
  return questionPage(view, 'branch', 'hosted/steps/branch', {
    titleKey: 'steps.branch.title',
    scripts: ['branch-distance.js'],
    asksForPlace: true,
    errors,
    entered,
    lenderName: offer?.lenderName,
    branches,
    gold: view.selected && pledgedGold(view.selected, view.applicant, language),
  });
}
